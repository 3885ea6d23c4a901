package uzu.app.train;

import java.util.Arrays;

/** A conversation as token ids, with what the model thought of each token that it wrote. */
final class Dialogue {
    /** How many of the likeliest tokens are kept at a position. */
    static final int TOP = 8;

    /** Who wrote a token: the template or a given prompt, the model as the user, the model as itself. */
    static final byte GIVEN = 0;

    static final byte USER = 1;
    static final byte ASSISTANT = 2;

    private final boolean heldOut;
    private final int featureWidth;
    private int[] ids = new int[512];
    private byte[] writers = new byte[512];
    private int[] topIds = new int[512 * TOP];
    private float[] topProbabilities = new float[512 * TOP];
    private int size;
    private short[] features = {};
    private int featured;

    /** One to be learnt from, without features. */
    Dialogue() {
        this(false, 0);
    }

    /**
     * @param heldOut not to be learnt from, for measuring
     * @param featureWidth features of a token; 0: none are kept
     */
    Dialogue(boolean heldOut, int featureWidth) {
        this.heldOut = heldOut;
        this.featureWidth = featureWidth;
    }

    boolean isHeldOut() {
        return heldOut;
    }

    int featureWidth() {
        return featureWidth;
    }

    int size() {
        return size;
    }

    int id(int position) {
        return ids[position];
    }

    byte writer(int position) {
        return writers[position];
    }

    int topId(int position, int rank) {
        return topIds[position * TOP + rank];
    }

    float topProbability(int position, int rank) {
        return topProbabilities[position * TOP + rank];
    }

    int[] ids() {
        return Arrays.copyOf(ids, size);
    }

    byte[] writers() {
        return Arrays.copyOf(writers, size);
    }

    int[] topIds() {
        return Arrays.copyOf(topIds, size * TOP);
    }

    float[] topProbabilities() {
        return Arrays.copyOf(topProbabilities, size * TOP);
    }

    /** A row for each token; zeros where the model has not run on it, as on the last one. */
    short[] features() {
        return Arrays.copyOf(features, size * featureWidth);
    }

    void given(int[] tokens) {
        for (int token : tokens) {
            append(token, GIVEN);
        }
    }

    /** A token drawn from the distribution whose likeliest tokens {@code drawn} has. */
    void written(int token, byte writer, Drawing drawn) {
        append(token, writer);
        System.arraycopy(drawn.topIds(), 0, topIds, (size - 1) * TOP, TOP);
        System.arraycopy(drawn.topProbabilities(), 0, topProbabilities, (size - 1) * TOP, TOP);
    }

    /** A token of a dialogue that was kept. */
    void read(int token, byte writer, int[] tokens, float[] probabilities) {
        append(token, writer);
        System.arraycopy(tokens, 0, topIds, (size - 1) * TOP, TOP);
        System.arraycopy(probabilities, 0, topProbabilities, (size - 1) * TOP, TOP);
    }

    private void append(int token, byte writer) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, 2 * size);
            writers = Arrays.copyOf(writers, 2 * size);
            topIds = Arrays.copyOf(topIds, 2 * size * TOP);
            topProbabilities = Arrays.copyOf(topProbabilities, 2 * size * TOP);
        }
        ids[size] = token;
        writers[size++] = writer;
    }

    /** Features of the next tokens that have none: of a beginning that several dialogues share. */
    void addFeatures(short[] rows) {
        if (featureWidth > 0) {
            reserve(rows.length / featureWidth);
            System.arraycopy(rows, 0, features, featured * featureWidth, rows.length);
            featured += rows.length / featureWidth;
        }
    }

    /** Features of the next tokens that have none, from rows of the last pass. */
    void addFeatures(FeatureTap tap, int firstRow, int rows) {
        if (featureWidth > 0) {
            reserve(rows);
            for (int row = firstRow; row < firstRow + rows; row++) {
                tap.copyRow(row, features, featured++ * featureWidth);
            }
        }
    }

    private void reserve(int rows) {
        if ((featured + rows) * featureWidth > features.length) {
            features = Arrays.copyOf(features, Math.max(featured + rows, 2 * featured) * featureWidth);
        }
    }

    /** Tokens that the model wrote as itself. */
    int answerTokens() {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += writers[i] == ASSISTANT ? 1 : 0;
        }
        return count;
    }

    /** Whether the end repeats itself: the last 16 tokens stand at least four times among the last 160. */
    boolean loops() {
        int unit = 16;
        if (size < 160) {
            return false;
        }
        int times = 0;
        for (int at = size - 160; at <= size - unit; at++) {
            times += Arrays.equals(ids, at, at + unit, ids, size - unit, size) ? 1 : 0;
        }
        return times >= 4;
    }
}
