package uzu.speculate;

import java.util.Arrays;

/**
 * What a drafter's probabilities are worth: how often tokens proposed with about such a probability were the ones
 * drawn. Begins with the drafter's own word and follows what happens: within a bucket of probabilities, odds are
 * multiplied by what makes the hits that were promised those that came.
 */
final class Calibration {
    /** Buckets are this wide in log odds. */
    private static final float WIDTH = 0.5f;

    private static final int BUCKETS = 21;

    /** So many observations does the drafter's own word count. */
    private static final float PRIOR = 24;

    /** What is remembered: about so many observations of a bucket. */
    private static final float MEMORY = 600;

    private static final float KEPT = 1 - 1 / MEMORY;

    private final float[] trials = new float[BUCKETS];
    private final float[] promised = new float[BUCKETS];
    private final float[] hits = new float[BUCKETS];
    private final float[] factors = new float[BUCKETS];

    Calibration() {
        Arrays.fill(factors, 1);
    }

    float of(float probability) {
        float odds = odds(probability) * factors[bucket(probability)];
        return odds / (1 + odds);
    }

    void observe(float probability, boolean hit) {
        int bucket = bucket(probability);
        trials[bucket] = trials[bucket] * KEPT + 1;
        promised[bucket] = promised[bucket] * KEPT + probability;
        hits[bucket] = hits[bucket] * KEPT + (hit ? 1 : 0);
        float expected = promised[bucket] / trials[bucket];
        float all = trials[bucket] + PRIOR;
        float came = (hits[bucket] + PRIOR * expected) / all;
        factors[bucket] = odds(came) / odds(expected);
    }

    private static float odds(float probability) {
        float p = Math.clamp(probability, 1e-4f, 1 - 1e-4f);
        return p / (1 - p);
    }

    private static int bucket(float probability) {
        double logOdds = Math.log(odds(probability));
        return (int) Math.clamp(Math.round(logOdds / WIDTH) + BUCKETS / 2, 0, BUCKETS - 1);
    }
}
