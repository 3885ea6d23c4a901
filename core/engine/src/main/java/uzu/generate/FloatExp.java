package uzu.generate;

/** e^x in float for x ≤ 0, the same bits on every machine, and several times faster than StrictMath. */
final class FloatExp {
    /** Below it the result is 0. */
    static final float UNDERFLOW = -87;

    private static final float LOG2_E = 1.44269504f;
    private static final float LN2_HIGH = 0.693359375f;
    private static final float LN2_LOW = -2.12194440e-4f;

    private FloatExp() {}

    /** Relative error below 3e-7: 2^n · e^r with |r| ≤ ln 2 / 2 and a Taylor polynomial of degree 7 for e^r. */
    static float of(float x) {
        if (x < UNDERFLOW) {
            return 0;
        }
        int n = (int) (x * LOG2_E - 0.5f);
        float r = x - n * LN2_HIGH - n * LN2_LOW;
        float p = 1 / 5040f;
        p = p * r + 1 / 720f;
        p = p * r + 1 / 120f;
        p = p * r + 1 / 24f;
        p = p * r + 1 / 6f;
        p = p * r + 0.5f;
        p = p * r + 1;
        p = p * r + 1;
        return p * Float.intBitsToFloat((n + 127) << 23);
    }
}
