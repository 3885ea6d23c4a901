package uzu.backend;

/** Where row r of a matrix comes from in its tensor. */
public sealed interface RowOrder {
    int source(int row);

    /** As stored. */
    record Plain() implements RowOrder {
        @Override
        public int source(int row) {
            return row;
        }
    }

    /**
     * Query or key projections stored for rotation of adjacent pairs (GGUF, architecture llama), brought to half-split
     * order: within each head of {@code headSize} rows, row i comes from 2i, row i + headSize/2 from 2i + 1.
     */
    record PairsToHalves(int headSize) implements RowOrder {
        @Override
        public int source(int row) {
            int half = headSize / 2;
            int within = row % headSize;
            return row - within + (within < half ? 2 * within : 2 * (within - half) + 1);
        }
    }
}
