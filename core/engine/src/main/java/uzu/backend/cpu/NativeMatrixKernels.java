package uzu.backend.cpu;

/** The twin in C for one instruction set. Embeddings are read in Java: there a row is little work. */
final class NativeMatrixKernels implements MatrixKernels {
    private final String name;
    private final NativeCalls calls;
    private final long quantise;
    private final long copy;
    private final long multiply;

    /**
     * @param name the instruction set, as it ends the functions' names
     * @throws IllegalStateException when the library lacks it
     */
    NativeMatrixKernels(NativeLibrary library, String name) {
        this.name = name;
        calls = library.calls();
        quantise = library.function("uzu_k_quantise_" + name);
        copy = library.function("uzu_k_copy_" + name);
        multiply = library.function("uzu_k_multiply_" + name);
    }

    @Override
    public String description() {
        return name;
    }

    @Override
    public long preparedBytes(int columns, int rows) {
        return PreparedInput.bytes(columns, rows);
    }

    @Override
    public void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int first, int last, long prepared) {
        long function = matrix.floats() ? copy : quantise;
        calls.prepare(function, x, stride, matrix.columns(), from, to, first, last, prepared);
    }

    @Override
    public void multiply(
            PackedMatrix matrix,
            int from,
            int to,
            long prepared,
            int rows,
            long out,
            int stride,
            long bias,
            boolean add) {
        calls.multiply(
                multiply,
                matrix.layout().type.ggml(),
                matrix.floats() ? 1 : 0,
                matrix.rows(),
                matrix.columns(),
                matrix.data().address(),
                from,
                to,
                prepared,
                rows,
                out,
                stride,
                bias,
                add ? 1 : 0);
    }

    @Override
    public void embed(PackedMatrix matrix, int row, float scale, long out) {
        new PackedRow(matrix, row).scaledTo(scale, out);
    }
}
