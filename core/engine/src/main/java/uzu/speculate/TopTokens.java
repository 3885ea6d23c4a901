package uzu.speculate;

import java.util.Arrays;
import uzu.backend.FloatExp;

/**
 * The best continuations by a drafter's own logits, under the conditions of verification. Where noise is shared with the
 * verifier, those are chosen that win with it; the chances told are without.
 */
final class TopTokens {
    /** So far below the likeliest token, in logarithms, noise rarely makes up for it. */
    private static final float REACH = 5;

    private static final int MOST = Proposals.MOST;

    private final float[] weights;
    private final int[] best = new int[MOST];
    private final double[] scores = new double[MOST];

    /** @param vocabulary columns of the logits that are tokens, the first ones */
    TopTokens(int vocabulary) {
        weights = new float[vocabulary];
    }

    /** Which token a column stands for. */
    interface Tokens {
        int of(int column);
    }

    /**
     * @param logits scaled in place
     * @param temperature of the distribution that softmax(logits) estimates
     * @param position that the proposed tokens would have
     */
    void propose(
            float[] logits, float temperature, Conditions conditions, int position, Tokens tokens, Proposals into) {
        int count = weights.length;
        if (conditions.temperature() > 0 && conditions.temperature() != temperature) {
            float scale = temperature / conditions.temperature();
            for (int i = 0; i < count; i++) {
                logits[i] *= scale;
            }
        }
        float largest = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, logits[i]);
        }
        if (!(Math.abs(largest) < Float.MAX_VALUE)) {
            return; // no numbers: nothing to say
        }
        double sum = FloatExp.all(logits, largest, weights, count);
        choose(logits, largest, conditions, position, tokens);
        for (int i = 0; i < MOST && best[i] >= 0; i++) {
            into.add(tokens.of(best[i]), (float) (weights[best[i]] / sum));
        }
    }

    private void choose(float[] logits, float largest, Conditions conditions, int position, Tokens tokens) {
        Arrays.fill(best, -1);
        Arrays.fill(scores, Double.NEGATIVE_INFINITY);
        boolean noisy = conditions.isNoisy();
        float least = noisy ? largest - REACH : Float.NEGATIVE_INFINITY;
        for (int i = 0; i < weights.length; i++) {
            if (logits[i] >= least && (noisy || logits[i] > scores[MOST - 1])) {
                double noise = noisy ? conditions.requireNoise().of(position, tokens.of(i)) : 0;
                insert(i, logits[i] + noise);
            }
        }
    }

    private void insert(int column, double score) {
        if (!(score > scores[MOST - 1])) {
            return;
        }
        int at = MOST - 1;
        while (at > 0 && scores[at - 1] < score) {
            scores[at] = scores[at - 1];
            best[at] = best[at - 1];
            at--;
        }
        scores[at] = score;
        best[at] = column;
    }
}
