package uzu.speculate;

/**
 * Makes one distribution of what several drafters propose after a node. Each takes the mass that its calibrated chances
 * have, and leaves the rest to the next: the more specific come first. {@link Mixture#SOURCES}, when nobody else
 * has said anything, are a {@link Mixture} instead. Where noise is shared with the verifier, what it does to the chances is known.
 */
final class Merge {
    private static final int MOST = 6 * Proposals.MOST;

    /** How far the drafters' logarithms are from the model's: noise decides the less, the larger it is. */
    private static final double UNCERTAINTY = 0.9;

    /** The mean of Gumbel noise. */
    private static final double EULER = 0.5772156649;

    private final int[] tokens = new int[MOST];
    private final float[] probabilities = new float[MOST];
    private int size;

    int size() {
        return size;
    }

    int token(int index) {
        return tokens[index];
    }

    float probability(int index) {
        return probabilities[index];
    }

    void clear() {
        size = 0;
    }

    /** The largest chance so far. */
    float best() {
        float best = 0;
        for (int i = 0; i < size; i++) {
            best = Math.max(best, probabilities[i]);
        }
        return best;
    }

    void add(Proposals proposals, Calibration calibration) {
        add(proposals, calibration, Constraint.NONE);
    }

    void add(Proposals proposals, Calibration calibration, Constraint constraint) {
        if (proposals.size() == 0) {
            return;
        }
        float left = left();
        for (int i = 0; i < proposals.size(); i++) {
            if (constraint.accepts(proposals.token(i))) {
                add(proposals.token(i), left * calibration.of(proposals.probability(i)));
            }
        }
    }

    /** What several drafters say together. */
    void add(Mixture mixture, Occurrences occurrences) {
        float left = left();
        for (int i = 0; i < mixture.size(); i++) {
            add(mixture.token(i), left * mixture.chance(i, occurrences));
        }
    }

    private float left() {
        float mass = 0;
        for (int i = 0; i < size; i++) {
            mass += probabilities[i];
        }
        return Math.max(0, 1 - mass);
    }

    void add(int token, float probability) {
        for (int i = 0; i < size; i++) {
            if (tokens[i] == token) {
                probabilities[i] += probability;
                return;
            }
        }
        if (size < MOST) {
            tokens[size] = token;
            probabilities[size++] = probability;
        }
    }

    /** @param position that the proposed tokens would have */
    void finish(Conditions conditions, int position) {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += probabilities[i];
        }
        if (sum > 1) {
            for (int i = 0; i < size; i++) {
                probabilities[i] /= (float) sum;
            }
            sum = 1;
        }
        if (conditions.isNoisy()) {
            hear(conditions.requireNoise(), position, 1 - sum);
        }
    }

    /** Token i is drawn where ln p + noise is largest; {@code unseen} is what all other tokens have together. */
    private void hear(Conditions.Noise noise, int position, double unseen) {
        double total = Math.exp((Math.log(Math.max(unseen, 1e-4)) + EULER) / UNCERTAINTY);
        for (int i = 0; i < size; i++) {
            double score = Math.log(Math.max(probabilities[i], 1e-6)) + noise.of(position, tokens[i]);
            double weight = Math.exp(score / UNCERTAINTY);
            probabilities[i] = (float) weight;
            total += weight;
        }
        for (int i = 0; i < size; i++) {
            probabilities[i] /= (float) total;
        }
    }
}
