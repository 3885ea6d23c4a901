package uzu.backend.cpu;

import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.Consumer;
import uzu.KvCache;
import uzu.backend.Activation;

/** Measures the row kernels on one thread, over rows that lie in the nearest caches, calls included. */
public final class RowSpeed {
    private static final int COLUMNS = 2048;
    private static final int HEAD_SIZE = 128;
    private static final int BLOCKS = 8;
    private static final int CALLS = 500;
    private static final int RUNS = 40;

    /** Bytes read and written a second by one operation. */
    public record Figure(String operation, double bytesPerSecond) {}

    private final RowKernels kernels;

    public RowSpeed(CpuOptions.Kernels wanted) {
        kernels = NativeRowKernels.choose(wanted);
    }

    public void measure(Consumer<Figure> to) {
        try (Memory memory = new Memory()) {
            long a = floats(memory);
            long b = floats(memory);
            long c = floats(memory);
            int heads = COLUMNS / HEAD_SIZE;
            long row = 4L * COLUMNS;
            long partials = 4L * heads * RowKernels.partialFloats(HEAD_SIZE) * BLOCKS;
            to.accept(figure("norm", 3 * row, () -> kernels.norm(a, 1, COLUMNS, b, 1e-5f, c)));
            to.accept(figure("rotate", 2 * row, () -> kernels.rotate(a, heads, HEAD_SIZE, HEAD_SIZE / 2, b, c)));
            to.accept(figure("store F16", row + row / 2, () -> kernels.store(KvCache.F16, a, COLUMNS, c)));
            to.accept(figure("gate SiLU", 3 * row, () -> kernels.gate(Activation.SILU, a, b, 1, COLUMNS, COLUMNS, c)));
            to.accept(figure(
                    "gate GELU", 3 * row, () -> kernels.gate(Activation.GELU_TANH, a, b, 1, COLUMNS, COLUMNS, c)));
            to.accept(figure("add", 3 * row, () -> kernels.add(a, COLUMNS, b)));
            to.accept(figure("soft cap", 2 * row, () -> kernels.softCap(c, COLUMNS, 30)));
            long joined = memory.allocate(partials, "benchmark");
            to.accept(figure("join", partials + row, () -> kernels.join(joined, BLOCKS, heads, HEAD_SIZE, c)));
        }
    }

    private static Figure figure(String operation, long bytes, Runnable call) {
        double least = Double.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, (System.nanoTime() - start) / 1e9);
        }
        return new Figure(operation, CALLS * bytes / least);
    }

    private static long floats(Memory memory) {
        long address = memory.allocate(4L * COLUMNS, "benchmark");
        Random random = new Random(3);
        for (int i = 0; i < COLUMNS; i++) {
            Memory.ALL.set(ValueLayout.JAVA_FLOAT, address + 4L * i, random.nextFloat());
        }
        return address;
    }
}
