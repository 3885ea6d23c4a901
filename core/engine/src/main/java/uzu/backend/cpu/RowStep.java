package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import uzu.KvCache;
import uzu.backend.Activation;
import uzu.backend.cpu.Scratch.Slot;

/** A step in which each row reads and writes nothing of other rows, so that one worker can do several in turn. */
interface RowStep {
    /** Rows {@code from} to {@code to}, of the batch or, in the head, of the wanted rows. */
    void run(Pass pass, int from, int to);

    record Embed(MatrixKernels kernels, PackedMatrix table, float scale, Slot out) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            for (int row = from; row < to; row++) {
                kernels.embed(table, pass.token[row], scale, out.row(row, table.columns()));
            }
        }
    }

    record Input(int width, Slot out) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            int count = (to - from) * width;
            MemorySegment.copy(pass.inputs, from * width, Memory.ALL, JAVA_FLOAT, out.row(from, width), count);
        }
    }

    /** Keeps a value where {@code features} has it. */
    record Keep(Slot in, int width, CpuFeatures features, int column, boolean head) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            for (int row = from; row < to; row++) {
                long at = features.at(head ? pass.wanted(row) : row, column);
                MemorySegment.copy(Memory.ALL, in.row(row, width), Memory.ALL, at, 4L * width);
            }
        }
    }

    record Norm(RowKernels kernels, Slot in, int width, CpuVector weight, float epsilon, Slot out)
            implements HeadSteps.Step {
        @Override
        public void run(Pass pass, int from, int to) {
            int runs = (to - from) * (width / weight.columns());
            kernels.norm(in.row(from, width), runs, weight.columns(), weight.address(), epsilon, out.row(from, width));
        }

        @Override
        public void run(Pass pass, int from, int to, int first, int last) {
            for (int row = from; row < to; row++) {
                long x = in.row(row, width) + 4L * first * headSize();
                long y = out.row(row, width) + 4L * first * headSize();
                kernels.norm(x, last - first, headSize(), weight.address(), epsilon, y);
            }
        }

        @Override
        public Slot of() {
            return in;
        }

        @Override
        public int headSize() {
            return weight.columns();
        }

        /** Rows 0 to {@code rows}, to another place. */
        void run(int rows, long to) {
            int runs = rows * (width / weight.columns());
            kernels.norm(in.address, runs, weight.columns(), weight.address(), epsilon, to);
        }
    }

    record Prepare(MatrixKernels kernels, PackedMatrix matrix, Slot in, Slot prepared) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            kernels.prepare(matrix, in.address, matrix.columns(), from, to, prepared.address);
        }

        /** Rows 0 to {@code rows}, from and to other places. */
        void run(int rows, long from, long to) {
            kernels.prepare(matrix, from, matrix.columns(), 0, rows, to);
        }

        /** Groups {@code first} to {@code last} of those rows. */
        void run(int from, int to, int first, int last) {
            kernels.prepare(matrix, in.address, matrix.columns(), from, to, first, last, prepared.address);
        }
    }

    record Rotate(RowKernels kernels, Slot x, int width, int headSize, int half, Slot table) implements HeadSteps.Step {
        @Override
        public void run(Pass pass, int from, int to) {
            run(pass, from, to, 0, width / headSize);
        }

        @Override
        public void run(Pass pass, int from, int to, int first, int last) {
            for (int row = from; row < to; row++) {
                long heads = x.row(row, width) + 4L * first * headSize;
                long cosines = table.row(row, 2 * half);
                kernels.rotate(heads, last - first, headSize, half, cosines, cosines + 4L * half);
            }
        }

        @Override
        public Slot of() {
            return x;
        }
    }

    /** Keeps a layer's keys, or its values; and moves those committed before, which attention reads next. */
    record Store(RowKernels kernels, KeyValueLayout layout, int layer, boolean keys, Slot in)
            implements HeadSteps.Step {
        @Override
        public void run(Pass pass, int from, int to) {
            run(pass, from, to, 0, layout.layer(layer).kvHeads());
        }

        @Override
        public void run(Pass pass, int from, int to, int first, int last) {
            if (from == 0) {
                pass.move(layer, keys, first, last);
            }
            KeyValues.Pending pending = pass.pending();
            int width = layout.layer(layer).kvHeads() * headSize();
            KvCache type = keys ? KeyValueLayout.keyType(layout.type()) : layout.type();
            long bytes = keys ? layout.keyBytes(layer) : layout.valueBytes(layer);
            for (int head = first; head < last; head++) {
                long start = keys
                        ? layout.keys(layer, head, pending.capacity)
                        : layout.values(layer, head, pending.capacity);
                for (int row = from; row < to; row++) {
                    long stored = pending.address + start + (pass.first() + row) * bytes;
                    kernels.store(type, in.row(row, width) + 4L * head * headSize(), headSize(), stored);
                }
            }
        }

        @Override
        public Slot of() {
            return in;
        }

        @Override
        public int headSize() {
            return layout.layer(layer).headSize();
        }
    }

    record Gate(RowKernels kernels, Activation activation, Slot gate, Slot up, int width, Slot out) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            long in = gate.row(from, width);
            kernels.gate(activation, in, up.row(from, width), to - from, width, width, out.row(from, width));
        }
    }

    record Add(RowKernels kernels, Slot in, int width, Slot out) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            kernels.add(in.row(from, width), (to - from) * width, out.row(from, width));
        }
    }
}
