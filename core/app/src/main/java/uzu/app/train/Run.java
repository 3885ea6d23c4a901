package uzu.app.train;

import java.util.Arrays;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/** A pass over tokens that follow each other, no logits wanted. */
record Run(Sequence sequence, int[] tokens) implements Batch {
    @Override
    public int size() {
        return tokens.length;
    }

    @Override
    public int token(int row) {
        return tokens[row];
    }

    @Override
    public Sequence sequence(int row) {
        return sequence;
    }

    @Override
    public int parent(int row) {
        return row - 1;
    }

    @Override
    public Wanted wanted(int row) {
        return Wanted.NOTHING;
    }

    void commit() {
        int[] path = new int[tokens.length];
        Arrays.setAll(path, i -> i);
        sequence.commit(path);
    }
}
