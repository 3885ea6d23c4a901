package uzu.speculate;

import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/** Rows of a feature network's pass: a chain from the sequence's end on, or one row that goes on from the last pass. */
final class IndexRows implements Batch {
    private final Sequence sequence;
    private int[] tokens = {};
    private float[] inputs = {};
    private final int[] one = new int[1];
    private int first;
    private int size;
    private int parent;
    private boolean wantsLast;

    IndexRows(Sequence sequence) {
        this.sequence = sequence;
    }

    /** @param wantsLast whether the last row's logits are wanted; no other's are */
    void chain(int[] tokens, int count, float[] inputs, boolean wantsLast) {
        this.tokens = tokens;
        this.inputs = inputs;
        this.wantsLast = wantsLast;
        first = 0;
        size = count;
        parent = -1;
    }

    /** @param number of the row, after those of the last passes */
    void single(int number, int token, int parent, float[] inputs) {
        one[0] = token;
        tokens = one;
        this.inputs = inputs;
        this.parent = parent;
        wantsLast = true;
        first = number;
        size = 1;
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
        return row == first ? parent : row - 1;
    }

    @Override
    public Wanted wanted(int row) {
        return Wanted.logitsIf(wantsLast && row == first + size - 1);
    }

    @Override
    public float[] inputs() {
        return inputs;
    }
}
