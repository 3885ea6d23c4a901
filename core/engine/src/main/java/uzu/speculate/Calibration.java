package uzu.speculate;

/**
 * What a drafter's probabilities are worth: how often tokens proposed with about such a probability were the ones
 * drawn. Begins with the drafter's own word and follows what happens.
 */
final class Calibration {
    /** A bucket holds probabilities of one factor √2. */
    private static final double BUCKETS_PER_E_FOLD = 2 / Math.log(2);

    private static final int BUCKETS = 16;

    /** So many observations does the drafter's own word count. */
    private static final double PRIOR = 24;

    /** What is remembered: about so many observations of a bucket. */
    private static final double MEMORY = 600;

    private final double[] trials = new double[BUCKETS];
    private final double[] hits = new double[BUCKETS];

    float of(float probability) {
        int bucket = bucket(probability);
        return (float) ((hits[bucket] + PRIOR * probability) / (trials[bucket] + PRIOR));
    }

    void observe(float probability, boolean hit) {
        int bucket = bucket(probability);
        double kept = 1 - 1 / MEMORY;
        trials[bucket] = trials[bucket] * kept + 1;
        hits[bucket] = hits[bucket] * kept + (hit ? 1 : 0);
    }

    private static int bucket(float probability) {
        double below = -Math.log(Math.max(probability, 1e-6f)) * BUCKETS_PER_E_FOLD;
        return (int) Math.min(Math.max(below, 0), BUCKETS - 1);
    }
}
