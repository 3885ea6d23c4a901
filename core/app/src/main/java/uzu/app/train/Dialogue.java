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

    private int[] ids = new int[512];
    private byte[] writers = new byte[512];
    private int[] topIds = new int[512 * TOP];
    private float[] topProbabilities = new float[512 * TOP];
    private int size;

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

    /** Tokens that the model wrote as itself. */
    int answerTokens() {
        int count = 0;
        for (int i = 0; i < size; i++) {
            count += writers[i] == ASSISTANT ? 1 : 0;
        }
        return count;
    }

    /** Whether the end repeats itself: the last 16 tokens stand at least three times among the last 160. */
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
