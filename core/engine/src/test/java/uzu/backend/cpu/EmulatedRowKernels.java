package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static uzu.backend.cpu.EmulatedKernels.Argument.of;
import static uzu.backend.cpu.EmulatedKernels.Argument.read;
import static uzu.backend.cpu.EmulatedKernels.Argument.written;

import java.util.List;
import java.util.stream.IntStream;
import uzu.KvCache;
import uzu.backend.Activation;
import uzu.backend.cpu.EmulatedKernels.Argument;

/** The row kernels in C for another processor, run by an emulator. */
record EmulatedRowKernels(EmulatedKernels library, String suffix) implements RowKernels {
    private record Span(int row, int first, int stored, int pending, int index) {}

    private void call(String name, List<Argument> integers, float... floats) {
        library.call("uzu_k_" + name + "_" + suffix, integers, floats);
    }

    private static Argument floats(long address, long count) {
        return read(address, 4 * count, 4);
    }

    private static Argument writtenFloats(long address, long count) {
        return written(address, 4 * count, 4);
    }

    private static Argument in(long in, long out, long count) {
        return in == out ? Argument.same() : floats(in, count);
    }

    @Override
    public void norm(long in, int runs, int columns, long weight, float epsilon, long out) {
        long count = (long) runs * columns;
        List<Argument> integers =
                List.of(in(in, out, count), of(runs), of(columns), floats(weight, columns), writtenFloats(out, count));
        call("norm", integers, epsilon);
    }

    @Override
    public void rotate(long x, int heads, int headSize, int half, long cosines, long sines) {
        call(
                "rotate",
                List.of(
                        writtenFloats(x, (long) heads * headSize),
                        of(heads),
                        of(headSize),
                        of(half),
                        floats(cosines, half),
                        floats(sines, half)));
    }

    @Override
    public void store(KvCache type, long in, int count, long out) {
        boolean quantised = KeyValueLayout.isQuantised(type);
        List<Argument> integers = List.of(
                of(NativeRowKernels.number(type)),
                floats(in, count),
                of(count),
                written(out, KeyValueLayout.rowBytes(type, count), type == KvCache.F32 ? 4 : 2));
        call(quantised ? "store_quants" : "store", integers);
    }

    @Override
    public void gate(Activation activation, long gate, long up, int rows, int columns, int stride, long out) {
        int count = (rows - 1) * stride + columns;
        List<Argument> integers = List.of(
                of(NativeRowKernels.number(activation)),
                in(gate, out, count),
                floats(up, count),
                of(rows),
                of(columns),
                of(stride),
                writtenFloats(out, count));
        call("gate", integers);
    }

    @Override
    public void add(long in, int count, long out) {
        call("add", List.of(floats(in, count), of(count), writtenFloats(out, count)));
    }

    @Override
    public void softCap(long x, int count, float cap) {
        call("soft_cap", List.of(writtenFloats(x, count), of(count)), cap);
    }

    @Override
    public void attend(
            KvCache type,
            long queries,
            long queryStride,
            int heads,
            int headSize,
            long keys,
            long values,
            long pendingKeys,
            long pendingValues,
            long ancestors,
            long spans,
            int rows,
            float scale,
            float softCap,
            long scratch,
            long partials,
            long partialStride) {
        List<Span> all = IntStream.range(0, rows)
                .mapToObj(i -> span(spans + 4L * SPAN * i))
                .toList();
        long lastRow = all.stream().mapToLong(Span::row).max().orElseThrow();
        long positions =
                all.stream().mapToLong(span -> span.first + span.stored).max().orElseThrow();
        int named =
                all.stream().mapToInt(span -> span.index + span.pending).max().orElseThrow();
        long lastPending = all.stream()
                .flatMapToInt(span -> IntStream.range(span.index, span.index + span.pending))
                .map(at -> Memory.ALL.get(JAVA_INT, ancestors + 4L * at))
                .max()
                .orElse(-1);
        long rowBytes = KeyValueLayout.rowBytes(type, headSize);
        long keyBytes = KeyValueLayout.rowBytes(KeyValueLayout.keyType(type), headSize);
        // Keys are read in whole panels.
        long panels = (positions + KeyValueLayout.PANEL - 1) / KeyValueLayout.PANEL;
        long pendingPanels = lastPending / KeyValueLayout.PANEL + 1;
        call(
                "attend",
                List.of(
                        of(NativeRowKernels.number(type)),
                        floats(queries, lastRow * queryStride / 4 + (long) heads * headSize),
                        of(queryStride),
                        of(heads),
                        of(headSize),
                        read(keys, panels * KeyValueLayout.PANEL * keyBytes, 4),
                        read(values, positions * rowBytes, 4),
                        read(pendingKeys, pendingPanels * KeyValueLayout.PANEL * keyBytes, 4),
                        read(pendingValues, (lastPending + 1) * rowBytes, 4),
                        read(ancestors, 4L * named, 4),
                        read(spans, 4L * SPAN * rows, 4),
                        of(rows),
                        read(scratch, RowKernels.scratchBytes(rows, heads, headSize), 64),
                        writtenFloats(
                                partials,
                                lastRow * partialStride / 4 + (long) heads * RowKernels.partialFloats(headSize)),
                        of(partialStride)),
                scale,
                softCap);
    }

    private static Span span(long address) {
        int[] numbers = IntStream.range(0, SPAN)
                .map(i -> Memory.ALL.get(JAVA_INT, address + 4L * i))
                .toArray();
        return new Span(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }

    @Override
    public void join(long partials, int blocks, int heads, int headSize, long out) {
        List<Argument> integers = List.of(
                floats(partials, (long) blocks * heads * RowKernels.partialFloats(headSize)),
                of(blocks),
                of(heads),
                of(headSize),
                writtenFloats(out, (long) heads * headSize));
        call("join", integers);
    }
}
