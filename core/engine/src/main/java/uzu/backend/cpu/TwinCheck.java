package uzu.backend.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.SplittableRandom;

/** Compares a twin with the specification on one small product a layout, before it is trusted. */
final class TwinCheck {
    private static final int OUTPUTS = MatrixLayout.LANES;

    private TwinCheck() {}

    /** The first layout whose product is not the same to the bit. */
    static Optional<MatrixLayout> firstDifference(MatrixKernels twin) {
        MatrixKernels scalar = new ScalarMatrixKernels();
        SplittableRandom random = new SplittableRandom(4);
        try (Arena arena = Arena.ofConfined()) {
            for (MatrixLayout layout : MatrixLayout.values()) {
                PackedMatrix matrix = matrix(layout, random, arena);
                MemorySegment x = arena.allocate(matrix.columns() * 4L, 64);
                for (int k = 0; k < matrix.columns(); k++) {
                    x.setAtIndex(ValueLayout.JAVA_FLOAT, k, (float) random.nextDouble(-3, 3));
                }
                if (product(scalar, matrix, x, arena).mismatch(product(twin, matrix, x, arena)) >= 0) {
                    return Optional.of(layout);
                }
            }
        }
        return Optional.empty();
    }

    /** One unit, as narrow as the layout allows: the specification is still interpreted when this runs. */
    private static PackedMatrix matrix(MatrixLayout layout, SplittableRandom random, Arena arena) {
        int columns = Math.max(MatrixLayout.GROUP, layout.type.blockSize());
        byte[] bytes = new byte[Math.toIntExact(layout.unitBytes(columns))];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] &= (byte) 0xbf; // so that no two or four bytes are an infinity or no number
        }
        MemorySegment data = arena.allocate(bytes.length, 64);
        MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return new PackedMatrix("check", OUTPUTS, columns, layout, !layout.type.isQuantized(), data);
    }

    private static MemorySegment product(MatrixKernels kernels, PackedMatrix matrix, MemorySegment x, Arena arena) {
        MemorySegment prepared = arena.allocate(kernels.preparedBytes(matrix.columns(), 1), 64);
        kernels.prepare(matrix, x.address(), matrix.columns(), 0, 1, prepared.address());
        MemorySegment out = arena.allocate(OUTPUTS * 4L, 64);
        kernels.multiply(matrix, 0, 1, prepared.address(), 1, out.address(), OUTPUTS, 0, false);
        return out;
    }
}
