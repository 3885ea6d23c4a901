package uzu.grammar;

/** The keys of an object: its names, and others. */
interface KeyLanguage {
    /**
     * The automaton of some keys, whose labels are indices of names, or {@link ObjectSpec#firstOther} and more for
     * others. Its start is −1 if there are none.
     */
    Chars of(ObjectSpec.KeyChoice choice);

    /** Bytes of a shortest key that is no name. */
    int distanceOfOther();

    /** How far the end of a key may be behind any of its characters, at most. */
    int slack();
}
