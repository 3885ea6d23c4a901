package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.backend.Executable;
import uzu.backend.cpu.Scratch.Slot;

/** A step of a pass, in parts that workers run at the same time. How it is parted never changes the results. */
interface Phase {
    /** Parts for {@code workers} workers: a few for each, as some may be slow. 0 if there is nothing to do. */
    int parts(Pass pass, int workers);

    /** Runs part {@code part} of {@code parts}. */
    void run(Pass pass, int part, int parts, int worker);

    /** Whether the phase must run on the thread that called for the pass. */
    default boolean onCaller() {
        return false;
    }

    /** How many parts to make of {@code count} things: all, but not many more than there are workers. */
    static int partsOf(int count, int workers) {
        return Math.min(count, workers == 1 ? 1 : PARTS_A_WORKER * workers);
    }

    int PARTS_A_WORKER = 16;

    /** Where part {@code part} of {@code count} things begins. */
    static int share(int count, int part, int parts) {
        return (int) ((long) count * part / parts);
    }

    /** Steps row by row. */
    record Rows(List<RowStep> steps, int grain, boolean head) implements Phase {
        // Prepared rows of a block share cache lines, which two workers would keep taking from each other.
        Rows(List<RowStep> steps, boolean head) {
            this(steps, steps.stream().anyMatch(RowStep.Prepare.class::isInstance) ? PreparedInput.ROWS : 1, head);
        }

        @Override
        public int parts(Pass pass, int workers) {
            return partsOf(grains(pass), workers);
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            int from = share(grains(pass), part, parts) * grain;
            int to = Math.min(pass.rows(head), share(grains(pass), part + 1, parts) * grain);
            for (int i = 0; i < steps.size(); i++) {
                steps.get(i).run(pass, from, to);
            }
        }

        private int grains(Pass pass) {
            return (pass.rows(head) + grain - 1) / grain;
        }
    }

    /** One matrix of a {@link Multiply}. */
    record Product(
            PackedMatrix matrix, Slot prepared, @Nullable CpuVector bias, Slot out, boolean add) {}

    /** Products with one input, the units of all matrices parted as if they were one. */
    record Multiply(MatrixKernels kernels, List<Product> products, int units, boolean head) implements Phase {
        // Multiply-adds that take some microseconds, long against a claim.
        private static final long PART_PRODUCTS = 200_000;

        @Override
        public int parts(Pass pass, int workers) {
            int rows = pass.rows(head);
            if (rows == 0) {
                return 0;
            }
            PackedMatrix first = products.getFirst().matrix;
            long products = (long) units * first.columns() * first.rows() / first.units() * rows;
            int worthwhile = Math.clamp(products / PART_PRODUCTS, Math.min(units, workers), units);
            return partsOf(worthwhile, workers);
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            int rows = pass.rows(head);
            int from = share(units, part, parts);
            int to = share(units, part + 1, parts);
            int first = 0;
            for (int i = 0; i < products.size(); i++) {
                Product product = products.get(i);
                PackedMatrix matrix = product.matrix;
                int start = Math.max(from - first, 0);
                int end = Math.min(to - first, matrix.units());
                if (start < end) {
                    long bias = product.bias == null ? 0 : product.bias.address();
                    long prepared = product.prepared.address;
                    long out = product.out.address;
                    kernels.multiply(matrix, start, end, prepared, rows, out, matrix.rows(), bias, product.add);
                }
                first += matrix.units();
            }
        }
    }

    /** x = cap · tanh(x / cap), columns parted too, as a single row of logits is long. */
    record SoftCap(RowKernels kernels, Slot x, int width, float cap, boolean head) implements Phase {
        private static final int GRAIN = 64;

        @Override
        public int parts(Pass pass, int workers) {
            return partsOf(grains(pass), workers);
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            int from = share(grains(pass), part, parts) * GRAIN;
            int to = Math.min(pass.rows(head) * width, share(grains(pass), part + 1, parts) * GRAIN);
            kernels.softCap(x.address + 4L * from, to - from, cap);
        }

        private int grains(Pass pass) {
            return (pass.rows(head) * width + GRAIN - 1) / GRAIN;
        }
    }

    /** Moves the wanted rows together, to the front of {@code x}. */
    record Compact(Slot x, int width) implements Phase {
        @Override
        public int parts(Pass pass, int workers) {
            return Math.min(1, pass.headRows());
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            for (int to = 0; to < pass.headRows(); to++) {
                if (pass.wanted(to) != to) {
                    long from = x.row(pass.wanted(to), width);
                    MemorySegment.copy(Memory.ALL, from, Memory.ALL, x.row(to, width), 4L * width);
                }
            }
        }
    }

    /** Shows a copy of a value to the tracer, on the thread that called for the pass. */
    record Tap(String name, Slot x, int width, boolean head, Tracing tracing) implements Phase {
        @Override
        public int parts(Pass pass, int workers) {
            return Math.min(1, pass.rows(head));
        }

        @Override
        public boolean onCaller() {
            return true;
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            Executable.Tracer tracer = tracing.tracer();
            if (tracer == null) {
                return;
            }
            int rows = pass.rows(head);
            float[] copy = new float[rows * width];
            MemorySegment.copy(Memory.ALL, JAVA_FLOAT, x.address, copy, 0, copy.length);
            tracer.tap(name, rows, width, copy);
        }
    }

    /** Who sees the taps of the pass that runs. */
    interface Tracing {
        Executable.@Nullable Tracer tracer();
    }
}
