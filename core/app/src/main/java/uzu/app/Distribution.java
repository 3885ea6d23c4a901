package uzu.app;

/** The distribution that a row of logits describes, for comparisons. */
final class Distribution {
    private final float[] logits;
    private double logSum;
    private int best;
    private int second;
    private double margin;

    Distribution(int vocabulary) {
        logits = new float[vocabulary];
    }

    /** Where the logits go; call {@link #update} after. */
    float[] logits() {
        return logits;
    }

    void update() {
        best = 0;
        second = -1;
        for (int i = 1; i < logits.length; i++) {
            if (logits[i] > logits[best]) {
                second = best;
                best = i;
            } else if (second < 0 || logits[i] > logits[second]) {
                second = i;
            }
        }
        margin = second < 0 ? Float.POSITIVE_INFINITY : logits[best] - logits[second];
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit - (double) logits[best]);
        }
        logSum = logits[best] + Math.log(sum);
    }

    int best() {
        return best;
    }

    /** The likeliest but one; −1 in a vocabulary of one. */
    int second() {
        return second;
    }

    /** Between the two largest logits. */
    double margin() {
        return margin;
    }

    double logProbability(int id) {
        return logits[id] - logSum;
    }

    /** Σ p · (ln p − ln q), p this and q the other. */
    double divergenceFrom(Distribution other) {
        double sum = 0;
        for (int i = 0; i < logits.length; i++) {
            double logP = logProbability(i);
            sum += Math.exp(logP) * (logP - other.logProbability(i));
        }
        return sum;
    }
}
