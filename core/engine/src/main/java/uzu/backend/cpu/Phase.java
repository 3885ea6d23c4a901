package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.backend.Executable;
import uzu.backend.cpu.Scratch.Slot;

/** What a team does between two barriers. How it is shared among the workers never changes the results. */
interface Phase {
    void run(Pass pass, int worker, int workers);

    /** Where worker {@code worker}'s share of {@code count} things begins. */
    static int share(int count, int worker, int workers) {
        return (int) (((long) count * worker + workers - 1) / workers);
    }

    /** Steps row by row, rows shared. */
    record Rows(List<RowStep> steps, boolean head) implements Phase {
        @Override
        public void run(Pass pass, int worker, int workers) {
            int rows = head ? pass.headRows() : pass.rows();
            int from = share(rows, worker, workers);
            int to = share(rows, worker + 1, workers);
            if (from < to) {
                for (int i = 0; i < steps.size(); i++) {
                    steps.get(i).run(pass, from, to);
                }
            }
        }
    }

    /** One matrix of a {@link Multiply}. */
    record Product(
            PackedMatrix matrix, Slot prepared, @Nullable CpuVector bias, Slot out, boolean add) {}

    /** Products with one input, the units of all matrices shared as if they were one. */
    record Multiply(MatrixKernels kernels, List<Product> products, int units, boolean head) implements Phase {
        @Override
        public void run(Pass pass, int worker, int workers) {
            int rows = head ? pass.headRows() : pass.rows();
            int from = share(units, worker, workers);
            int to = share(units, worker + 1, workers);
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

    /** x = cap · tanh(x / cap), columns shared too, as a single row of logits is long. */
    record SoftCap(RowKernels kernels, Slot x, int width, float cap, boolean head) implements Phase {
        private static final int GRAIN = 64;

        @Override
        public void run(Pass pass, int worker, int workers) {
            int count = (head ? pass.headRows() : pass.rows()) * width;
            int grains = (count + GRAIN - 1) / GRAIN;
            int from = share(grains, worker, workers) * GRAIN;
            int to = Math.min(count, share(grains, worker + 1, workers) * GRAIN);
            if (from < to) {
                kernels.softCap(x.address + 4L * from, to - from, cap);
            }
        }
    }

    /** Moves the wanted rows together, to the front of {@code x}. */
    record Compact(Slot x, int width) implements Phase {
        @Override
        public void run(Pass pass, int worker, int workers) {
            if (worker != 0) {
                return;
            }
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
        public void run(Pass pass, int worker, int workers) {
            Executable.Tracer tracer = tracing.tracer();
            if (worker != 0 || tracer == null) {
                return;
            }
            int rows = head ? pass.headRows() : pass.rows();
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
