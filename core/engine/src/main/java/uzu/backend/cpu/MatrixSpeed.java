package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.Consumer;
import uzu.format.TensorType;

/** Measures matrix kernels on one thread: weights far larger than the second cache, minimum of several runs. */
public final class MatrixSpeed {
    private static final long BYTES = 64L << 20;
    private static final int COLUMNS = 2048;
    private static final int RUNS = 7;
    /** Products of one run; keeps runs of many rows short. */
    private static final double MOST_PRODUCTS = 4e8;

    /**
     * One figure.
     *
     * @param bytesPerSecond packed weights read
     * @param productsPerSecond multiply-adds
     */
    public record Figure(TensorType type, int rows, double bytesPerSecond, double productsPerSecond) {}

    private MatrixSpeed() {}

    /**
     * Measures every type at each number of rows.
     *
     * @return the name of the kernels measured
     */
    public static String measure(CpuOptions.Kernels wanted, int[] rows, Consumer<Figure> to) {
        MatrixKernels kernels = MatrixTwins.choose(wanted);
        try (Memory memory = new Memory()) {
            for (MatrixLayout layout : MatrixLayout.values()) {
                PackedMatrix matrix = matrix(layout, memory);
                for (int count : rows) {
                    to.accept(measure(kernels, matrix, count, memory));
                }
                memory.free(matrix.data().address());
            }
        }
        return kernels.description();
    }

    private static PackedMatrix matrix(MatrixLayout layout, Memory memory) {
        int units = Math.toIntExact(BYTES / layout.unitBytes(COLUMNS));
        long bytes = units * layout.unitBytes(COLUMNS);
        MemorySegment data = Memory.ALL.asSlice(memory.allocate(bytes, "benchmark"), bytes);
        byte[] some = new byte[1 << 20];
        new Random(1).nextBytes(some);
        for (int i = 0; i < some.length; i++) {
            some[i] &= (byte) 0xbf; // no infinities among the scales
        }
        for (long at = 0; at < bytes; at += some.length) {
            int length = (int) Math.min(some.length, bytes - at);
            MemorySegment.copy(some, 0, data, ValueLayout.JAVA_BYTE, at, length);
        }
        boolean floats = !layout.type.isQuantized();
        return new PackedMatrix("benchmark", units * MatrixLayout.LANES, COLUMNS, layout, floats, data);
    }

    private static Figure measure(MatrixKernels kernels, PackedMatrix matrix, int rows, Memory memory) {
        double perUnit = (double) rows * COLUMNS * MatrixLayout.LANES;
        int units = (int) Math.clamp(MOST_PRODUCTS / perUnit, 1, matrix.units());
        long x = memory.allocate(4L * rows * COLUMNS, "benchmark");
        long prepared = memory.allocate(kernels.preparedBytes(COLUMNS, rows), "benchmark");
        long out = memory.allocate(4L * rows * matrix.rows(), "benchmark");
        Random random = new Random(2);
        for (int i = 0; i < rows * COLUMNS; i++) {
            Memory.ALL.set(ValueLayout.JAVA_FLOAT, x + 4L * i, (float) random.nextGaussian());
        }
        kernels.prepare(matrix, x, COLUMNS, 0, rows, rows, prepared);
        double least = Double.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            kernels.multiply(matrix, 0, units, prepared, rows, out, matrix.rows(), 0, false);
            least = Math.min(least, (System.nanoTime() - start) / 1e9);
        }
        memory.free(x);
        memory.free(prepared);
        memory.free(out);
        double bytes = (double) units * matrix.layout().unitBytes(COLUMNS);
        return new Figure(matrix.layout().type, rows, bytes / least, units * perUnit / least);
    }
}
