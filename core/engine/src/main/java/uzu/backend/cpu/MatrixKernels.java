package uzu.backend.cpu;

/**
 * Products of packed matrices with a few or many rows. Addresses are absolute; nothing is allocated. A result depends
 * on its own row and output only: never on the other rows, on how units are split, or on which twin computes it.
 */
interface MatrixKernels {
    /** Bytes that {@link #prepare} fills for {@code rows} inputs of {@code columns} floats. */
    long preparedBytes(int columns, int rows);

    /**
     * Makes inputs ready for products with {@code matrix}: rows {@code from} to {@code to} of {@code rows}, at {@code x}
     * with {@code stride} floats from row to row. Different workers may prepare different rows at the same time.
     */
    void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int rows, long prepared);

    /**
     * out[row][o] = (add ? out[row][o] : 0) + matrix[o]·x[row] + bias[o] for all {@code rows} and the outputs of units
     * {@code from} to {@code to} (see {@link PackedMatrix#units}); {@code bias} 0 for none.
     */
    void multiply(
            PackedMatrix matrix,
            int from,
            int to,
            long prepared,
            int rows,
            long out,
            int stride,
            long bias,
            boolean add);

    /** out = scale · matrix[row], dequantised. */
    void embed(PackedMatrix matrix, int row, float scale, long out);
}
