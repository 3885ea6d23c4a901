package uzu.backend;

/** The non-linearity of a gated feed-forward layer. */
public enum Activation {
    /** x · sigmoid(x). */
    SILU,
    /** 0.5 · x · (1 + tanh(√(2/π) · (x + 0.044715 x³))). */
    GELU_TANH
}
