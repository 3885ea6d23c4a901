package uzu.speculate;

import uzu.backend.Candidates;
import uzu.backend.FloatExp;
import uzu.backend.Logits;
import uzu.backend.Tally;

/**
 * The candidates of one depth of a block, the best first: by the block's marginal distribution under the conditions of
 * verification, with the noise if that is shared. Chances are told without it.
 */
final class BlockCandidates {
    static final int MOST = 2 * Proposals.MOST;

    /** So far below the likeliest token, in logarithms, noise rarely makes up for it. */
    private static final float REACH = 6;

    private final int[] tokens = new int[MOST];
    private final float[] probabilities = new float[MOST];
    private final double[] scores = new double[MOST];
    private final double[] pathScores = new double[MOST];
    private int size;

    // Beyond the last reach a whole vocabulary weighs nothing.
    private final Tally tally = new Tally(1, 2, 4, 8, 16, 32);
    private final Candidates near = new Candidates();

    int size() {
        return size;
    }

    int token(int index) {
        return tokens[index];
    }

    float probability(int index) {
        return probabilities[index];
    }

    /**
     * @param vocabulary how many of the logits
     * @param position that the tokens would have
     */
    void read(Logits logits, int vocabulary, Conditions conditions, int position) {
        size = 0;
        int likeliest = logits.largest(vocabulary);
        if (likeliest < 0 || Float.isInfinite(logits.get(likeliest))) {
            return; // no numbers: nothing to say
        }
        float temperature = conditions.temperature() > 0 ? conditions.temperature() : 1;
        float largest = logits.get(likeliest);
        logits.tally(vocabulary, largest, temperature, true, tally);
        double sum = tally.weights[Tally.SIZE - 1];
        logits.gather(vocabulary, largest, temperature, -REACH, Float.MAX_VALUE, near);
        for (int i = 0; i < near.size; i++) {
            double noise = conditions.isNoisy() ? conditions.requireNoise().of(position, near.tokens[i]) : 0;
            double score = near.values[i] + noise;
            if (size < MOST || score > scores[MOST - 1]) {
                insert(near.tokens[i], (float) (FloatExp.of(near.values[i]) / sum), score);
            }
        }
    }

    private void insert(int token, float probability, double score) {
        int at = Math.min(size, MOST - 1);
        while (at > 0 && scores[at - 1] < score) {
            tokens[at] = tokens[at - 1];
            probabilities[at] = probabilities[at - 1];
            scores[at] = scores[at - 1];
            at--;
        }
        tokens[at] = token;
        probabilities[at] = probability;
        scores[at] = score;
        size = Math.min(size + 1, MOST);
    }

    /** The best, as they are. */
    void propose(Proposals into) {
        for (int i = 0; i < size && into.size() < Proposals.MOST; i++) {
            into.add(tokens[i], probabilities[i]);
        }
    }

    /**
     * The best given a path: a token's weight is its marginal chance times its factor; together they keep the marginal
     * mass of the candidates.
     *
     * @param factors of the candidates; overwritten
     */
    void propose(double[] factors, Conditions conditions, int position, Proposals into) {
        double mass = 0;
        double sum = 0;
        for (int i = 0; i < size; i++) {
            factors[i] *= probabilities[i];
            mass += probabilities[i];
            sum += factors[i];
            double noise = conditions.isNoisy() ? conditions.requireNoise().of(position, tokens[i]) : 0;
            pathScores[i] = Math.log(factors[i]) + noise;
        }
        while (into.size() < Math.min(size, Proposals.MOST)) {
            int best = 0;
            for (int i = 1; i < size; i++) {
                best = pathScores[i] > pathScores[best] ? i : best;
            }
            pathScores[best] = Double.NEGATIVE_INFINITY;
            into.add(tokens[best], (float) (factors[best] / sum * mass));
        }
    }
}
