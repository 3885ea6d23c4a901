package uzu.app;

/** The distribution that a row of logits describes, for comparisons. */
final class Distribution {
    private final float[] logits;
    private double logSum;
    private int best;
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
        float second = Float.NEGATIVE_INFINITY;
        for (int i = 1; i < logits.length; i++) {
            if (logits[i] > logits[best]) {
                second = logits[best];
                best = i;
            } else if (logits[i] > second) {
                second = logits[i];
            }
        }
        margin = logits[best] - second;
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit - (double) logits[best]);
        }
        logSum = logits[best] + Math.log(sum);
    }

    int best() {
        return best;
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
