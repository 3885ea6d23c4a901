package uzu;

/** How drafted tokens are judged where tokens are drawn with chance. Both keep the model's distribution. */
public enum ChatVerifier {
    /** The same tokens as without speculation, for the same seed. */
    SHARED_NOISE,

    /** Accepts a token drafted with chance q with min(1, p/q), else draws from what is left of p. */
    REJECTION
}
