package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;

/**
 * An approximation of a readout that takes fewer bytes, and how far off its logits may be. For weights w, their
 * approximation v, any positive column scales s and an input x, by Cauchy and Schwarz,
 * |w·x − v·x| ≤ ‖(w − v) ∘ s‖ · ‖x / s‖: a row's radius times the input's reach, both rounded up.
 *
 * @param matrix v, as Q4_1
 * @param radii for each row of the matrix a float, which also has room for what rounding does to both logits
 * @param inverse 1 / s, for each column
 */
record Screen(PackedMatrix matrix, long radii, double[] inverse) {
    /** Between these neither underflow nor overflow does more to a logit than its radius allows. */
    private static final double LEAST_REACH = 0x1p-40;

    private static final double MOST_REACH = 0x1p60;

    /**
     * The reach of one of the first rows of prepared inputs, as products see it, rounded; not a number where it says
     * nothing.
     *
     * @param row below {@link PreparedInput#ROWS}: where further ones lie only the kernels know
     */
    float reach(long prepared, int row) {
        double all = 0;
        long group = prepared;
        for (int first = 0; first < inverse.length; first += GROUP, group += PreparedInput.GROUP_BYTES) {
            double sum = 0;
            for (int k = 0; k < GROUP; k += 4) {
                int four = Memory.RAW.getInt(group + (long) row * GROUP + k);
                for (int i = 0; i < 4; i++) {
                    double q = (byte) (four >> 8 * i) * inverse[first + k + i];
                    sum += q * q;
                }
            }
            double scale = Memory.RAW.getFloat(group + PreparedInput.SCALES + 4L * row);
            all += scale * scale * sum;
        }
        double reach = Math.sqrt(all);
        boolean says = reach >= LEAST_REACH && reach <= MOST_REACH;
        return says ? Math.nextUp((float) (reach * (1 + 1e-9))) : Float.NaN;
    }
}
