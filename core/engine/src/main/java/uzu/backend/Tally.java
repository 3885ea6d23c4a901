package uzu.backend;

/**
 * How many tokens lie within some reaches of the likeliest one, and what they weigh together: tokens with a scaled
 * logit of at least −reach, each weighing {@link FloatExp#of} of it. Weights are summed in eight floats by token % 8
 * over 512 tokens, in order; these into eight doubles; these in order.
 */
public final class Tally {
    /** How many reaches there are. */
    public static final int SIZE = 6;

    static final int BLOCK = 512;
    static final int LANES = 8;

    /** Asked for, in rising order. */
    public final float[] reaches;

    public final int[] counts = new int[SIZE];
    /** All 0 where only counts are asked for. */
    public final double[] weights = new double[SIZE];

    /** @param reaches {@link #SIZE} of them, in rising order */
    public Tally(float... reaches) {
        this.reaches = reaches.clone();
    }
}
