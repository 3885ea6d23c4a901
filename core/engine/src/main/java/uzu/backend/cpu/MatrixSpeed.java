package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;
import uzu.format.TensorType;

/** Measures matrix kernels: weights far larger than the caches, the fastest of several runs. */
public final class MatrixSpeed {
    private static final long BYTES = 192L << 20;
    private static final int COLUMNS = 2048;
    private static final int RUNS = 7;
    /** Enough for slow kernels, which take long for one run. */
    private static final double SECONDS = 0.2;
    /** Products of one run and thread; keeps runs of many rows short. */
    private static final double MOST_PRODUCTS = 4e8;

    /**
     * One figure.
     *
     * @param bytesPerSecond packed weights read
     * @param productsPerSecond multiply-adds
     */
    public record Figure(TensorType type, int rows, int threads, double bytesPerSecond, double productsPerSecond) {}

    private final MatrixKernels kernels;
    private final int[] rows;
    private final int[] threads;

    /** @param rows, threads what each type is measured with, each with each */
    public MatrixSpeed(CpuOptions.Kernels wanted, int[] rows, int[] threads) {
        kernels = MatrixTwins.choose(wanted);
        this.rows = rows.clone();
        this.threads = threads.clone();
    }

    /** As {@link CpuBackend#kernels} names them. */
    public String kernels() {
        return kernels.description();
    }

    /** Measures the types that fit, one after the other. */
    public void measure(Predicate<TensorType> types, Consumer<Figure> to) {
        Team team = new Team();
        try (Memory memory = new Memory()) {
            for (MatrixLayout layout : MatrixLayout.values()) {
                if (types.test(layout.type)) {
                    PackedMatrix matrix = matrix(layout, memory);
                    for (int workers : threads) {
                        for (int count : rows) {
                            to.accept(measure(matrix, count, workers, team, memory));
                        }
                    }
                    memory.free(matrix.data().address());
                }
            }
        } finally {
            team.close();
        }
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

    private Figure measure(PackedMatrix matrix, int rows, int workers, Team team, Memory memory) {
        double perUnit = (double) rows * COLUMNS * MatrixLayout.LANES;
        int units = (int) Math.clamp(workers * MOST_PRODUCTS / perUnit, 1, matrix.units());
        long x = memory.allocate(4L * rows * COLUMNS, "benchmark");
        long prepared = memory.allocate(kernels.preparedBytes(COLUMNS, rows), "benchmark");
        long out = memory.allocate(4L * rows * matrix.rows(), "benchmark");
        Random random = new Random(2);
        for (int i = 0; i < rows * COLUMNS; i++) {
            Memory.ALL.set(ValueLayout.JAVA_FLOAT, x + 4L * i, (float) random.nextGaussian());
        }
        kernels.prepare(matrix, x, COLUMNS, 0, rows, prepared);
        Multiply multiply = new Multiply(kernels, matrix, units, prepared, rows, out, workers);
        double least = Double.MAX_VALUE;
        long begun = System.nanoTime();
        for (int run = 0; run < RUNS && (run == 0 || (System.nanoTime() - begun) / 1e9 < SECONDS); run++) {
            long start = System.nanoTime();
            team.run(workers, multiply);
            least = Math.min(least, (System.nanoTime() - start) / 1e9);
        }
        memory.free(x);
        memory.free(prepared);
        memory.free(out);
        double bytes = (double) units * matrix.layout().unitBytes(COLUMNS);
        return new Figure(matrix.layout().type, rows, workers, bytes / least, units * perUnit / least);
    }

    /** A product parted among the workers as a pass does it. */
    private record Multiply(
            MatrixKernels kernels, PackedMatrix matrix, int units, long prepared, int rows, long out, int workers)
            implements Team.Job {
        @Override
        public int steps() {
            return 1;
        }

        @Override
        public int parts(int step) {
            return Phase.partsOf(units, workers);
        }

        @Override
        public void run(int step, int part, int worker) {
            int parts = parts(step);
            int from = Phase.share(units, part, parts);
            int to = Phase.share(units, part + 1, parts);
            kernels.multiply(matrix, from, to, prepared, rows, out, matrix.rows(), 0, false);
        }
    }
}
