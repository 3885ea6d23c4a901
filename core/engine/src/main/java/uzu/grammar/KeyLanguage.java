package uzu.grammar;

/** The keys of an object: its names, and others. */
interface KeyLanguage {
    /**
     * The automaton of some keys. A label is a name's index and 1; that of the first kind of other keys is 0, and of the
     * others {@link ObjectSpec#firstOther} and their index. Its start is −1 if there are none.
     */
    Chars of(ObjectSpec.KeyChoice choice);

    /** Whether there is any key of a label, numbered from {@link ObjectSpec#firstOther} on. */
    boolean has(int label);

    /** No rest of a key that is no name is longer, in bytes; {@link Cost#NEVER} where that isn't known. */
    int farthest();

    /** Bytes of a shortest key that is no name, of a label as {@link #has} numbers them. */
    int distanceOfOther(int label);
}
