package uzu.speculate;

/** What followed the matches of an n-gram: the first few different tokens, and how often each. */
final class Followers {
    private static final int DISTINCT = 4;

    private final int[] tokens = new int[DISTINCT];
    private final int[] counts = new int[DISTINCT];
    private int size;
    private int seen;

    void clear() {
        size = 0;
        seen = 0;
    }

    /** A match was followed by {@code token}; the most recent match is told first. */
    void add(int token) {
        seen++;
        for (int i = 0; i < size; i++) {
            if (tokens[i] == token) {
                counts[i]++;
                return;
            }
        }
        if (size < DISTINCT) {
            tokens[size] = token;
            counts[size++] = 1;
        }
    }

    int size() {
        return size;
    }

    int token(int rank) {
        return tokens[rank];
    }

    /** Of the {@link #seen} matches. */
    int count(int rank) {
        return counts[rank];
    }

    int seen() {
        return seen;
    }
}
