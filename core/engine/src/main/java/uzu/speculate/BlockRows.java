package uzu.speculate;

import java.util.Arrays;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/** Rows of a block drafter's passes, all of one sequence: a chain, tokens side by side, or one that goes on. */
final class BlockRows implements Batch {
    private static final float[] NONE = {};

    private final Sequence sequence;
    private int[] tokens = {};
    private float[] inputs = NONE;
    private int first;
    private int size;
    /** Of the first row; of all, where they lie side by side. */
    private int parent;

    private boolean isChain;
    /** Rows from this one on want their results. */
    private int wanted;

    BlockRows(Sequence sequence) {
        this.sequence = sequence;
    }

    /** @param inputs of a chain of rows, one after the other; no results are wanted */
    void context(float[] inputs, int count) {
        begin(count, 0, count);
        Arrays.fill(tokens, 0, count, 0);
        this.inputs = inputs;
    }

    /** @param inputs of one row, whose results are wanted */
    void state(float[] inputs) {
        begin(1, 0, 0);
        tokens[0] = 0;
        this.inputs = inputs;
    }

    /** [last, mask, mask, …]; the masks' results are wanted. */
    void block(int last, int mask, int count) {
        begin(count, 0, 1);
        Arrays.fill(tokens, 0, count, mask);
        tokens[0] = last;
    }

    /** Candidates {@code from} to {@code to}, which don't see one another; all results are wanted. */
    void beside(BlockCandidates candidates, int from, int to) {
        begin(to - from, 0, 0);
        isChain = false;
        for (int i = 0; i < size; i++) {
            tokens[i] = candidates.token(from + i);
        }
    }

    /** @param number of the row, after those of the last passes */
    void node(int number, int token, int parent) {
        begin(1, number, number);
        tokens[0] = token;
        this.parent = parent;
    }

    private void begin(int count, int first, int wanted) {
        if (tokens.length < count) {
            tokens = new int[count];
        }
        inputs = NONE;
        size = count;
        this.first = first;
        this.wanted = wanted;
        parent = -1;
        isChain = true;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int first() {
        return first;
    }

    @Override
    public int token(int row) {
        return tokens[row - first];
    }

    @Override
    public Sequence sequence(int row) {
        return sequence;
    }

    @Override
    public int parent(int row) {
        return row == first || !isChain ? parent : row - 1;
    }

    @Override
    public Wanted wanted(int row) {
        return Wanted.logitsIf(row >= wanted);
    }

    @Override
    public float[] inputs() {
        return inputs;
    }
}
