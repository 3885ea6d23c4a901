package uzu.backend.cpu;

import static uzu.backend.cpu.EmulatedKernels.Argument.of;
import static uzu.backend.cpu.EmulatedKernels.Argument.read;
import static uzu.backend.cpu.EmulatedKernels.Argument.written;

import java.util.List;

/** A twin in C for another processor, run by an emulator. */
record EmulatedMatrixKernels(EmulatedKernels library, String suffix) implements MatrixKernels {
    @Override
    public String description() {
        return "emulated " + suffix;
    }

    @Override
    public long preparedBytes(int columns, int rows) {
        return PreparedInput.bytes(columns, rows);
    }

    @Override
    public void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int first, int last, long prepared) {
        int columns = matrix.columns();
        library.call(
                (matrix.floats() ? "uzu_k_copy_" : "uzu_k_quantise_") + suffix,
                List.of(
                        read(x, 4L * ((to - 1L) * stride + columns), 4),
                        of(stride),
                        of(columns),
                        of(from),
                        of(to),
                        of(first),
                        of(last),
                        written(prepared, preparedBytes(columns, to), 64)));
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
        library.call(
                "uzu_k_multiply_" + suffix,
                List.of(
                        of(matrix.layout().type.ggml()),
                        of(matrix.floats() ? 1 : 0),
                        of(matrix.rows()),
                        of(matrix.columns()),
                        read(matrix.data().address(), matrix.bytes(), 64),
                        of(from),
                        of(to),
                        read(prepared, preparedBytes(matrix.columns(), rows), 64),
                        of(rows),
                        written(out, 4L * ((rows - 1L) * stride + matrix.rows()), 4),
                        of(stride),
                        read(bias, 4L * matrix.rows(), 4),
                        of(add ? 1 : 0)));
    }

    @Override
    public void embed(PackedMatrix matrix, int row, float scale, long out) {
        new PackedRow(matrix, row).scaledTo(scale, out);
    }
}
