package uzu.speculate;

import java.util.Arrays;

/** How often each token occurred in a conversation, about: tokens that share a counter are counted together. */
final class Occurrences {
    private static final int COUNTERS = 1 << 13;
    private static final float[] LOGARITHMS = new float[64];

    static {
        for (int i = 0; i < LOGARITHMS.length; i++) {
            LOGARITHMS[i] = (float) Math.log(1 + i);
        }
    }

    private final int[] counts = new int[COUNTERS];
    private int[] tokens = new int[256];
    private int size;

    /** The conversation goes on after its first {@code length} tokens. */
    void truncate(int length) {
        while (size > length) {
            counts[counter(tokens[--size])]--;
        }
    }

    /** Counts what {@code path} has more than before. */
    void follow(TokenPath path) {
        truncate(path.size());
        if (tokens.length < path.size()) {
            tokens = Arrays.copyOf(tokens, Math.max(path.size(), 2 * tokens.length));
        }
        while (size < path.size()) {
            int token = path.get(size);
            tokens[size++] = token;
            counts[counter(token)]++;
        }
    }

    /** ln(1 + occurrences), these up to 63. */
    float logOf(int token) {
        return LOGARITHMS[Math.min(counts[counter(token)], LOGARITHMS.length - 1)];
    }

    private static int counter(int token) {
        return (token * 0x9E3779B1) >>> 19;
    }
}
