package uzu;

/** How matrices are multiplied. */
public enum Precision {
    /** Activations rounded to int8 by groups of 32 before each product with a quantised matrix. */
    FAST,
    /** Activations stay float: slower, for comparing with references. */
    EXACT
}
