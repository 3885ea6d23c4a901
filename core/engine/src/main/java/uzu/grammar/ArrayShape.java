package uzu.grammar;

/** Some arrays, ready to be written. */
sealed interface ArrayShape permits ArraySpec, CountedArrays {
    /** Whether there is such an array, as far as its items are known to be possible. */
    boolean isPossible();

    /** Tokens that suffice for a whole array. */
    int cost();

    /** No byte of an array makes what is to come longer by more, but for its items. */
    int dearest();

    /** To be called when all costs are found. */
    void settle();

    /** An array behind its bracket. */
    Frame open();
}
