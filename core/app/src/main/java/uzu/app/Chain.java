package uzu.app;

import java.util.Arrays;
import uzu.backend.Batch;
import uzu.backend.Sequence;

/** A batch that continues one sequence with {@code size} of {@code ids}; every row's logits are wanted, or none's. */
record Chain(Sequence sequence, int[] ids, int from, int size, boolean logits) implements Batch {
    @Override
    public int token(int row) {
        return ids[from + row];
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
    public boolean wantsLogits(int row) {
        return logits;
    }

    void commit() {
        int[] path = new int[size];
        Arrays.setAll(path, row -> row);
        sequence.commit(path);
    }
}
