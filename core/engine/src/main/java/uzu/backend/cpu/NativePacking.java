package uzu.backend.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import uzu.backend.RowOrder;
import uzu.format.Tensor;

/**
 * The twin of {@link MatrixPacker} in C: the same bytes, without waiting for a compiler. Rows reach it through a buffer
 * that Java fills, since a file that shrinks under its mapping is an error in Java and the end of the process in C.
 */
final class NativePacking {
    /** Source bytes of one call: they stay in the second cache between the two copies. */
    private static final int BUFFER_BYTES = 64 << 10;

    private final NativeCalls calls;
    private final long pack;

    /** @throws IllegalStateException when the library lacks it */
    NativePacking(NativeLibrary library) {
        calls = library.calls();
        pack = library.function("uzu_k_pack");
    }

    /** The twin to use where {@code wanted} matrix kernels run; null when that is Java. */
    static @Nullable NativePacking choose(CpuOptions.Kernels wanted) {
        boolean java = wanted == CpuOptions.Kernels.SCALAR || wanted == CpuOptions.Kernels.VECTOR;
        Optional<NativeLibrary> library = java ? Optional.empty() : NativeLibrary.loaded();
        return library.isEmpty() ? null : new NativePacking(library.get());
    }

    /** Packs units {@code from} to {@code to} of the tensor into {@code data}, which has the room of all units. */
    void pack(Tensor tensor, RowOrder order, MatrixLayout layout, int from, int to, MemorySegment data) {
        int columns = (int) tensor.columns();
        long rowBytes = tensor.type().rowBytes(columns);
        long unitBytes = layout.unitBytes(columns);
        long sourceBytes = rowBytes * MatrixLayout.LANES;
        int atOnce = Math.clamp(BUFFER_BYTES / sourceBytes, 1, to - from);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(atOnce * sourceBytes, MatrixLayout.VECTOR);
            for (int unit = from; unit < to; unit += atOnce) {
                int units = Math.min(atOnce, to - unit);
                long first = (long) unit * MatrixLayout.LANES;
                int rows = (int) Math.min((long) units * MatrixLayout.LANES, tensor.rows() - first);
                copyRows(tensor, order, (int) first, rows, rowBytes, buffer);
                buffer.asSlice(rows * rowBytes, units * sourceBytes - rows * rowBytes)
                        .fill((byte) 0);
                calls.pack(
                        pack,
                        tensor.type().ggml(),
                        columns,
                        units,
                        buffer.address(),
                        data.address() + unit * unitBytes);
            }
        }
    }

    private static void copyRows(Tensor tensor, RowOrder order, int first, int rows, long rowBytes, MemorySegment to) {
        switch (order) {
            case RowOrder.Plain plain -> MemorySegment.copy(tensor.data(), first * rowBytes, to, 0, rows * rowBytes);
            case RowOrder.PairsToHalves pairs -> {
                for (int row = 0; row < rows; row++) {
                    long from = pairs.source(first + row) * rowBytes;
                    MemorySegment.copy(tensor.data(), from, to, row * rowBytes, rowBytes);
                }
            }
        }
    }
}
