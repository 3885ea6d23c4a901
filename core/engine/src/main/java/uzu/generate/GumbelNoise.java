package uzu.generate;

/**
 * Noise whose addition to log probabilities makes the largest sum a draw: g = −ln(−ln u). The noise of a token is a
 * pure function of seed, position and token: word {@code token % 4} of Philox block {@code token / 4} under the key of
 * seed and position; u = (its upper 24 bits + ½) / 2²⁴.
 */
public final class GumbelNoise {
    /** No noise is larger. */
    static final double MAXIMUM = ofWord(-1);

    private static final double LN_2 = StrictMath.log(2);

    private GumbelNoise() {}

    static double ofWord(int word) {
        double u = ((word >>> 8) + 0.5) * 0x1p-24;
        return -StrictMath.log(-StrictMath.log(u));
    }

    /**
     * At least {@link #ofWord}, without logarithms: −ln u ≥ 1 − u ≥ m · 2⁻²⁵ with m = 2²⁴ − the upper 24 bits, so
     * g ≤ (25 − ⌊log₂ m⌋) · ln 2.
     */
    static double boundOfWord(int word) {
        int m = (1 << 24) - (word >>> 8);
        return (Integer.numberOfLeadingZeros(m) - 6) * LN_2;
    }

    public static double of(long seed, int position, int token) {
        int[] words = new int[4];
        Philox.block(Philox.key(seed, position), token >>> 2, words);
        return ofWord(words[token & 3]);
    }
}
