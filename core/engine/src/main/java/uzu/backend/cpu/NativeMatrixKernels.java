package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** The twin in C for one instruction set. Embeddings are read in Java: there a row is little work. */
final class NativeMatrixKernels implements MatrixKernels {
    private static final FunctionDescriptor PREPARE =
            FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor MULTIPLY = FunctionDescriptor.ofVoid(
            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG,
            JAVA_INT, JAVA_LONG, JAVA_INT);

    private final String name;
    private final MethodHandle quantise;
    private final MethodHandle copy;
    private final MethodHandle multiply;

    /**
     * @param name the instruction set, as it ends the functions' names
     * @throws IllegalStateException when the library lacks it
     */
    NativeMatrixKernels(NativeLibrary library, String name) {
        this.name = name;
        quantise = library.function("uzu_k_quantise_" + name, PREPARE);
        copy = library.function("uzu_k_copy_" + name, PREPARE);
        multiply = library.function("uzu_k_multiply_" + name, MULTIPLY);
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
    public void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int rows, long prepared) {
        try {
            (matrix.floats() ? copy : quantise).invokeExact(x, stride, matrix.columns(), from, to, prepared);
        } catch (Throwable e) {
            throw impossible(e);
        }
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
        try {
            multiply.invokeExact(
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
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public void embed(PackedMatrix matrix, int row, float scale, long out) {
        new PackedRow(matrix, row).scaledTo(scale, out);
    }

    private static RuntimeException impossible(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a call of a C kernel failed", e);
    }
}
