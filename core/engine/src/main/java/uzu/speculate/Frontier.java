package uzu.speculate;

import java.util.Arrays;

/** Candidates for a draft's next node, the likeliest first. */
final class Frontier {
    /** In the place of a token: the one that is drawn next for the parent. */
    static final int NEXT_DRAWN = -1;

    private int[] parents = new int[256];
    private int[] tokens = new int[256];
    private float[] probabilities = new float[256];
    private int size;

    // The candidate taken last.
    private int parent;
    private int token;
    private float probability;

    void clear() {
        size = 0;
    }

    void push(int parent, int token, float probability) {
        if (size == parents.length) {
            parents = Arrays.copyOf(parents, 2 * size);
            tokens = Arrays.copyOf(tokens, 2 * size);
            probabilities = Arrays.copyOf(probabilities, 2 * size);
        }
        int at = size++;
        while (at > 0 && probabilities[(at - 1) / 2] < probability) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        set(at, parent, token, probability);
    }

    /** Takes the likeliest candidate; false when there is none. */
    boolean pop() {
        if (size == 0) {
            return false;
        }
        parent = parents[0];
        token = tokens[0];
        probability = probabilities[0];
        size--;
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && probabilities[child + 1] > probabilities[child]) {
                child++;
            }
            if (probabilities[child] <= probabilities[size]) {
                break;
            }
            move(child, at);
            at = child;
        }
        set(at, parents[size], tokens[size], probabilities[size]);
        return true;
    }

    int parent() {
        return parent;
    }

    int token() {
        return token;
    }

    float probability() {
        return probability;
    }

    private void move(int from, int to) {
        set(to, parents[from], tokens[from], probabilities[from]);
    }

    private void set(int at, int parent, int token, float probability) {
        parents[at] = parent;
        tokens[at] = token;
        probabilities[at] = probability;
    }
}
