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

    record Norm(RowKernels kernels, Slot in, int width, CpuVector weight, float epsilon, Slot out) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            int runs = (to - from) * (width / weight.columns());
            kernels.norm(in.row(from, width), runs, weight.columns(), weight.address(), epsilon, out.row(from, width));
        }
    }

    record Prepare(MatrixKernels kernels, PackedMatrix matrix, Slot in, Slot prepared) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            kernels.prepare(matrix, in.address, matrix.columns(), from, to, prepared.address);
        }

        /** Groups {@code first} to {@code last} of those rows. */
        void run(int from, int to, int first, int last) {
            kernels.prepare(matrix, in.address, matrix.columns(), from, to, first, last, prepared.address);
        }
    }

    record Rotate(RowKernels kernels, Slot x, int width, int headSize, int half, Slot table) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            for (int row = from; row < to; row++) {
                long cosines = table.row(row, 2 * half);
                kernels.rotate(x.row(row, width), width / headSize, headSize, half, cosines, cosines + 4L * half);
            }
        }
    }

    record Store(RowKernels kernels, KeyValueLayout layout, int layer, Slot keys, Slot values) implements RowStep {
        @Override
        public void run(Pass pass, int from, int to) {
            KeyValues.Pending pending = pass.pending();
            int heads = layout.layer(layer).kvHeads();
            int headSize = layout.layer(layer).headSize();
            KvCache keyType = KeyValueLayout.keyType(layout.type());
            for (int row = from; row < to; row++) {
                for (int head = 0; head < heads; head++) {
                    long in = 4L * headSize * head;
                    long at = pass.first() + row;
                    long key = at * layout.keyBytes(layer) + layout.keys(layer, head, pending.capacity);
                    long value = at * layout.valueBytes(layer) + layout.values(layer, head, pending.capacity);
                    kernels.store(keyType, keys.row(row, heads * headSize) + in, headSize, pending.address + key);
                    long values = this.values.row(row, heads * headSize) + in;
                    kernels.store(layout.type(), values, headSize, pending.address + value);
                }
            }
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
