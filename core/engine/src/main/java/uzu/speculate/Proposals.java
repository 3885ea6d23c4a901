package uzu.speculate;

/** What one drafter proposes after one node: different tokens, best first. Holds at most {@link #MOST}. */
public final class Proposals {
    public static final int MOST = 8;

    private final int[] tokens = new int[MOST];
    private final float[] probabilities = new float[MOST];
    private int size;

    public int size() {
        return size;
    }

    public int token(int index) {
        return tokens[index];
    }

    /** As the drafter said, before calibration. */
    public float probability(int index) {
        return probabilities[index];
    }

    /** Adds a token, unless it is there already, is worth nothing, or there is no room. */
    public void add(int token, float probability) {
        // Written so that NaN is worth nothing.
        if (size == MOST || contains(token) || !(probability > 0)) {
            return;
        }
        tokens[size] = token;
        probabilities[size++] = Math.min(probability, 1);
    }

    public boolean contains(int token) {
        for (int i = 0; i < size; i++) {
            if (tokens[i] == token) {
                return true;
            }
        }
        return false;
    }

    void clear() {
        size = 0;
    }
}
