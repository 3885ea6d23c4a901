package uzu.generate;

/**
 * Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1,
 * 2, 3" (2011): a 128-bit counter and a 64-bit key give four 32-bit words. Only the counter's first word is used here.
 */
final class Philox {
    private static final int ROUNDS = 10;
    private static final long MULTIPLIER_0 = 0xD2511F53L;
    private static final long MULTIPLIER_1 = 0xCD9E8D57L;
    private static final int WEYL_0 = 0x9E3779B9;
    private static final int WEYL_1 = 0xBB67AE85;
    private static final long LOW = 0xFFFFFFFFL;

    private Philox() {}

    /** The four words of {@code counter} under {@code key}; the key's low half is its first word. */
    static void block(long key, int counter0, int counter1, int counter2, int counter3, int[] words) {
        int k0 = (int) key;
        int k1 = (int) (key >>> 32);
        int c0 = counter0;
        int c1 = counter1;
        int c2 = counter2;
        int c3 = counter3;
        for (int round = 0; round < ROUNDS; round++) {
            long p0 = MULTIPLIER_0 * (c0 & LOW);
            long p1 = MULTIPLIER_1 * (c2 & LOW);
            c0 = (int) (p1 >>> 32) ^ c1 ^ k0;
            c1 = (int) p1;
            c2 = (int) (p0 >>> 32) ^ c3 ^ k1;
            c3 = (int) p0;
            k0 += WEYL_0;
            k1 += WEYL_1;
        }
        words[0] = c0;
        words[1] = c1;
        words[2] = c2;
        words[3] = c3;
    }

    static void block(long key, int counter, int[] words) {
        block(key, counter, 0, 0, 0, words);
    }

    /** The key of all draws of the token at {@code position}: SplitMix64's finaliser over seed and position. */
    static long key(long seed, int position) {
        long z = seed + (position + 1L) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
