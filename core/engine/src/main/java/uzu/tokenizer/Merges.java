package uzu.tokenizer;

/** Which neighbouring symbols become one token, and which pair goes first. */
interface Merges {
    long NONE = Long.MAX_VALUE;

    /**
     * The merge of two neighbours in {@code symbols}: priority in the high half (signed, lowest first), the resulting
     * id in the low half; {@link #NONE} if they do not merge.
     */
    long find(Symbols symbols, int left, int right);
}
