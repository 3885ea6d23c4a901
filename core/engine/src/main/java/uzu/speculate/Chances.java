package uzu.speculate;

/**
 * The distribution from which a node's children were drawn without replacement, in the order of the draws: the k-th
 * child is the k-th token, drawn from the tokens from k on.
 */
public final class Chances {
    static final int MOST = 32;

    private final int[] tokens = new int[MOST];
    private final double[] weights = new double[MOST];
    private final double[] scores = new double[MOST];
    private final double[] rests = new double[MOST];
    private int size;

    public int size() {
        return size;
    }

    public int token(int index) {
        return tokens[index];
    }

    /** The chance that the token at {@code index} had in draw {@code draw}, which is at most {@code index}. */
    public double chance(int index, int draw) {
        return weights[index] / rests[draw];
    }

    double total() {
        return size == 0 ? 0 : rests[0];
    }

    void clear() {
        size = 0;
    }

    /**
     * Adds a token, while there is room.
     *
     * @param weight above 0
     * @param noise Gumbel: the order of ln weight + noise is that of draws
     */
    void add(int token, double weight, double noise) {
        if (size == MOST) {
            return;
        }
        double score = Math.log(weight) + noise;
        int at = size++;
        while (at > 0 && scores[at - 1] < score) {
            scores[at] = scores[at - 1];
            tokens[at] = tokens[at - 1];
            weights[at] = weights[at - 1];
            at--;
        }
        scores[at] = score;
        tokens[at] = token;
        weights[at] = weight;
    }

    /** Everything was added. */
    void finish() {
        double rest = 0;
        for (int i = size - 1; i >= 0; i--) {
            rest += weights[i];
            rests[i] = rest;
        }
    }
}
