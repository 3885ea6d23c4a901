package uzu.backend.cpu;

/**
 * The elementary functions of the row kernels, in fused multiply-adds and bit shifts only, so that every twin computes
 * the same bits. The C twins repeat these lines.
 */
final class Elementary {
    /** From here down {@link #exp} is 0: below, the exponent field would underflow. */
    static final float EXP_ZERO = -86.5f;

    /** From here up {@link #exp} stays e^88. */
    static final float EXP_TOP = 88f;

    private static final float LOG2_E = 1.44269504f;
    // ln 2 in two parts: the first has 15 bits, so that n times it is exact.
    private static final float LN2_HIGH = 0.693145752f;
    private static final float LN2_LOW = 1.42860677e-6f;
    // 1.5 · 2^23: adding it rounds to an integer, ties to even, and leaves that integer in the low bits.
    private static final float ROUNDER = 12_582_912f;

    private Elementary() {}

    /**
     * e^x = 2^n · (1 + r + r²·p(r)), n = round(x / ln 2), r = x − n·ln 2, p of degree 4 by Remez. Relative error under
     * 1.2e-7 for x between {@link #EXP_ZERO} and {@link #EXP_TOP}; 0 below, constant above.
     */
    static float exp(float x) {
        if (x < EXP_ZERO) {
            return 0;
        }
        float bounded = EXP_TOP < x ? EXP_TOP : x;
        float shifted = Math.fma(bounded, LOG2_E, ROUNDER);
        float n = shifted - ROUNDER;
        float r = Math.fma(n, -LN2_LOW, Math.fma(n, -LN2_HIGH, bounded));
        float p = 0.00138145406f;
        p = Math.fma(p, r, 0.00836874545f);
        p = Math.fma(p, r, 0.041668389f);
        p = Math.fma(p, r, 0.166665211f);
        p = Math.fma(p, r, 0.49999994f);
        float mantissa = Math.fma(r * r, p, r) + 1f;
        return Float.intBitsToFloat(Float.floatToRawIntBits(mantissa) + (Float.floatToRawIntBits(shifted) << 23));
    }

    /**
     * tanh x: x + x³·p(x²), p of degree 4 by Remez, for |x| under 0.625; beyond, (1 − e) / (1 + e) with e = e^(−2|x|)
     * and the sign of x. Relative error under 2.5e-7.
     */
    static float tanh(float x) {
        float magnitude = Math.abs(x);
        if (magnitude < 0.625f) {
            float square = x * x;
            float p = -0.00570498686f;
            p = Math.fma(p, square, 0.020639088f);
            p = Math.fma(p, square, -0.0537397154f);
            p = Math.fma(p, square, 0.133314416f);
            p = Math.fma(p, square, -0.333332807f);
            return Math.fma(x * square, p, x);
        }
        float e = exp(-2f * magnitude);
        return Math.copySign((1f - e) / (1f + e), x);
    }

    /** x · sigmoid(x) = x / (1 + e^−x). */
    static float silu(float x) {
        return x / (1f + exp(-x));
    }

    /** 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))). */
    static float geluTanh(float x) {
        float inner = 0.797884561f * Math.fma(0.044715f * (x * x), x, x);
        return (0.5f * x) * (1f + tanh(inner));
    }

    /** cap · tanh(x / cap). */
    static float softCap(float x, float cap) {
        return cap * tanh(x / cap);
    }
}
