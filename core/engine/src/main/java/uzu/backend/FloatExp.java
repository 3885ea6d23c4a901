package uzu.backend;

/**
 * e^x in float for x ≤ 0, the same bits on every machine: a polynomial of degree 10 for e^(x/32), squared five times.
 * Without conversions and branches, so that the loop over a vocabulary is compiled to vector instructions. Relative
 * error below 1e-5; below −32, −∞ included, the result is e^−32, which even a whole vocabulary of doesn't weigh 1e-8.
 */
public final class FloatExp {
    private static final float LEAST = -32;

    private FloatExp() {}

    /** @param x at most 0 */
    public static float of(float x) {
        float y = Math.max(x, LEAST) * (1 / 32f);
        float p = 1 / 3628800f;
        p = Math.fma(p, y, 1 / 362880f);
        p = Math.fma(p, y, 1 / 40320f);
        p = Math.fma(p, y, 1 / 5040f);
        p = Math.fma(p, y, 1 / 720f);
        p = Math.fma(p, y, 1 / 120f);
        p = Math.fma(p, y, 1 / 24f);
        p = Math.fma(p, y, 1 / 6f);
        p = Math.fma(p, y, 0.5f);
        p = Math.fma(p, y, 1);
        p = Math.fma(p, y, 1);
        p *= p;
        p *= p;
        p *= p;
        p *= p;
        return p * p;
    }

    /** out[i] = e^(x[i] − shift) for the first {@code size} numbers; returns their sum. */
    public static double all(float[] x, float shift, float[] out, int size) {
        for (int i = 0; i < size; i++) {
            out[i] = of(x[i] - shift);
        }
        // Four sums, so that additions needn't wait for each other.
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int i = 0;
        for (; i + 4 <= size; i += 4) {
            sum0 += out[i];
            sum1 += out[i + 1];
            sum2 += out[i + 2];
            sum3 += out[i + 3];
        }
        for (; i < size; i++) {
            sum0 += out[i];
        }
        return sum0 + sum1 + (sum2 + sum3);
    }
}
