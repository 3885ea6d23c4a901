package uzu.app;

import java.util.Arrays;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/**
 * A batch that continues one sequence with {@code size} of {@code ids}.
 *
 * @param wanted how many rows want their logits: the last so many
 */
record Chain(Sequence sequence, int[] ids, int from, int size, int wanted) implements Batch {
    /** Every row's logits are wanted, or none's. */
    Chain(Sequence sequence, int[] ids, int from, int size, boolean logits) {
        this(sequence, ids, from, size, logits ? size : 0);
    }

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
    public Wanted wanted(int row) {
        return Wanted.logitsIf(row >= size - wanted);
    }

    void commit() {
        int[] path = new int[size];
        Arrays.setAll(path, row -> row);
        sequence.commit(path);
    }
}
