package uzu.grammar;

/**
 * A deterministic automaton over code points. Its states are small numbers, maybe found only when they are visited; from
 * each there is a way to the end. For several threads.
 */
interface Chars {
    /** −1 if there is no text at all. */
    int start();

    /** The state after {@code codePoint}, −1 if it can't be. */
    int next(int state, int codePoint);

    boolean accepts(int state);

    /**
     * What a text that ends in {@code state} is to those who ask, 0 if there is nothing to tell.
     */
    default int label(int state) {
        return 0;
    }

    /** An automaton that goes on alike from its start as this from {@code state}, with label 0: maybe a shared one. */
    default Chars onward(int state) {
        return this;
    }

    /** Whether every state is like every other: any number of any of the same characters. */
    default boolean isUniform() {
        return false;
    }

    /**
     * Bytes of the shortest text from {@code state} to an end that has from {@code min} to {@code max} characters, or
     * more, but then enough; {@link Cost#NEVER} if there is none.
     *
     * @param writing how characters are written
     */
    int distance(int state, int min, int max, Writing writing);

    /**
     * The least {@link #distance} after a character from {@code first} to {@code last}, with the counts that hold after
     * it.
     */
    int distanceAfter(int state, int first, int last, int min, int max, Writing writing);

    /** No {@link #distance} without counts is larger; {@link Cost#NEVER} where that isn't known. */
    int farthest();

    /** The largest {@link #next} count: no end. */
    int UNBOUNDED = Syntax.UNBOUNDED;

    /** How a character becomes bytes. */
    enum Writing {
        /** UTF-8. */
        PLAIN,
        /** UTF-8 in a JSON string, with escapes. */
        JSON;

        /** Bytes of the cheapest character of the range. */
        int bytes(int first, int last) {
            if (this == JSON) {
                if (first <= 0x7F && (last > '\\' || (last >= 0x20 && !isOnly(first, last)))) {
                    return 1;
                }
                if (first <= 0x7F) {
                    return escaped(first, last);
                }
            }
            return first <= 0x7F ? 1 : first <= 0x7FF ? 2 : first <= 0xFFFF ? 3 : 4;
        }

        private static boolean isOnly(int first, int last) {
            return (Math.max(first, 0x20) == '"' && last == '"') || (first == '\\' && last == '\\');
        }

        private static int escaped(int first, int last) {
            for (int c = first; c <= Math.min(last, 0x7F); c++) {
                if (c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t') {
                    return 2;
                }
            }
            return last > 0x7F ? 2 : 6;
        }
    }
}
