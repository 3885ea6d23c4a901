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

    /**
     * Where part {@code part} of {@code count} things begins where each is smaller than the one before: those to start
     * with are long, as reading weights on is faster than starting anew; those to end with are short, as workers wait for
     * the last. As many parts as {@code workers} are equal.
     */
    static int taperedShare(int count, int part, int parts, int workers) {
        if (parts <= workers) {
            return share(count, part, parts);
        }
        long left = parts - part;
        return count - (int) (count * left * left / ((long) parts * parts));
    }

    /** In which passes a phase is. */
    enum When {
        ALWAYS,
        FEW_ROWS,
        MANY_ROWS;

        boolean isIn(Pass pass, boolean head) {
            return this == ALWAYS || OwnInputs.areFew(pass, head) == (this == FEW_ROWS);
        }
    }

    /** Steps row by row. */
    record Rows(List<RowStep> steps, int grain, When when, boolean head) implements Phase {
        // Prepared rows of a block share cache lines, which two workers would keep taking from each other.
        Rows(List<RowStep> steps, When when, boolean head) {
            this(
                    steps,
                    steps.stream().anyMatch(RowStep.Prepare.class::isInstance) ? PreparedInput.ROWS : 1,
                    when,
                    head);
        }

        @Override
        public int parts(Pass pass, int workers) {
            return when.isIn(pass, head) ? partsOf(grains(pass), workers) : 0;
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
            PackedMatrix matrix, Slot prepared, @Nullable CpuVector bias, Slot out, boolean add) {

        /** Its outputs of units {@code from} to {@code to}; {@code own} makes the inputs, or is null. */
        void run(MatrixKernels kernels, @Nullable OwnInputs own, Pass pass, int worker, int from, int to, int rows) {
            long start = bias == null ? 0 : bias.address();
            long inputs = inputs(own, pass, worker);
            kernels.multiply(matrix, from, to, inputs, rows, out.address, matrix.rows(), start, add);
        }

        /** Where {@code worker} finds them. */
        long inputs(@Nullable OwnInputs own, Pass pass, int worker) {
            return own == null ? prepared.address : own.prepared(pass, prepared, worker);
        }
    }

    /** Products with one input, the units of all matrices parted as if they were one. */
    record Multiply(
            MatrixKernels kernels,
            List<Product> products,
            @Nullable OwnInputs own,
            @Nullable HeadSteps after,
            int units,
            boolean head)
            implements Phase {
        // Multiply-adds of a worker's share that are worth another round of parts.
        private static final long ROUND_PRODUCTS = 200_000;
        // Of tapered parts, more don't even out more than they cost.
        private static final int MOST_ROUNDS = 3;

        @Override
        public int parts(Pass pass, int workers) {
            int rows = pass.rows(head);
            if (rows == 0) {
                return 0;
            }
            int columns = products.getFirst().matrix.columns();
            return partsOf((long) units * MatrixLayout.LANES * columns * rows, units, workers);
        }

        /** How many tapered parts to make of {@code products} multiply-adds that can be shared out in {@code shares}. */
        static int partsOf(long products, int shares, int workers) {
            int rounds = workers == 1 ? 1 : Math.clamp(products / workers / ROUND_PRODUCTS, 1, MOST_ROUNDS);
            return Math.min(shares, rounds * workers);
        }

        /** The most that {@link #partsOf} makes. */
        static int mostParts(int workers) {
            return MOST_ROUNDS * workers;
        }

        @Override
        public void run(Pass pass, int part, int parts, int worker) {
            int rows = pass.rows(head);
            int from = taperedShare(units, part, parts, pass.workers());
            int to = taperedShare(units, part + 1, parts, pass.workers());
            int first = 0;
            for (int i = 0; i < products.size(); i++) {
                Product product = products.get(i);
                PackedMatrix matrix = product.matrix;
                int start = Math.max(from - first, 0);
                int end = Math.min(to - first, matrix.units());
                if (start < end) {
                    product.run(kernels, own, pass, worker, start, end, rows);
                    if (after != null) {
                        after.done(pass, i, start, end);
                    }
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
            // As many as there are lie where they should.
            return pass.headRows() == pass.rows() ? 0 : Math.min(1, pass.headRows());
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
