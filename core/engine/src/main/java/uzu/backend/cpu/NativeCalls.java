package uzu.backend.cpu;

/** Calls of C, whose other side is calls.c: addresses are longs, and a kernel's own address comes first. */
final class NativeCalls {
    /** In the order of kernels.h. */
    private enum Operation {
        FEATURES,
        MAP,
        UNMAP,
        WANT_HUGE_PAGES,
        PACK,
        PREPARE,
        MULTIPLY,
        NORM,
        ROTATE,
        STORE,
        GATE,
        ADD,
        SOFT_CAP,
        ATTEND,
        JOIN,
        LARGEST,
        TALLY,
        GATHER,
        CONTEND,
        CONTENDERS,
        PEAK_READ,
        PEAK_PRODUCTS
    }

    private final CLinker linker;

    /** The address of the library's uzu_k_call. */
    private final long entry;

    NativeCalls(CLinker linker, long entry) {
        this.linker = linker;
        this.entry = entry;
    }

    /** Bits of the instruction sets that run here, as in kernels.h. */
    int features() {
        return (int) call(Operation.FEATURES, 0, 0, 0, 0);
    }

    /** Zeroed memory in whole pages; 0 if there is none. */
    long map(long bytes) {
        return call(Operation.MAP, 0, bytes, 0, 0);
    }

    void unmap(long address, long bytes) {
        call(Operation.UNMAP, 0, address, bytes, 0);
    }

    void wantHugePages(long address, long bytes) {
        call(Operation.WANT_HUGE_PAGES, 0, address, bytes, 0);
    }

    void pack(long function, int type, int columns, int units, long in, long out) {
        call(Operation.PACK, function, type, columns, units, in, out, 0);
    }

    void prepare(long function, long x, int stride, int columns, int from, int to, int first, int last, long prepared) {
        call(Operation.PREPARE, function, x, stride, columns, from, to, first, last, prepared, 0);
    }

    void multiply(
            long function,
            int type,
            int floats,
            int outputs,
            int columns,
            long data,
            int from,
            int to,
            long prepared,
            int rows,
            long out,
            int stride,
            long bias,
            int add) {
        call(
                Operation.MULTIPLY,
                function,
                type,
                floats,
                outputs,
                columns,
                data,
                from,
                to,
                prepared,
                rows,
                out,
                stride,
                bias,
                add,
                0,
                0,
                0,
                0);
    }

    void norm(long function, long in, int runs, int columns, long weight, float epsilon, long out) {
        call(Operation.NORM, function, in, runs, columns, weight, bits(epsilon), out);
    }

    void rotate(long function, long x, int heads, int size, int half, long cosines, long sines) {
        call(Operation.ROTATE, function, x, heads, size, half, cosines, sines);
    }

    void store(long function, int type, long in, int count, long out) {
        call(Operation.STORE, function, type, in, count, out, 0, 0);
    }

    void gate(long function, int activation, long gate, long up, int rows, int columns, int stride, long out) {
        call(Operation.GATE, function, activation, gate, up, rows, columns, stride, out, 0, 0);
    }

    void add(long function, long in, int count, long out) {
        call(Operation.ADD, function, in, count, out);
    }

    void softCap(long function, long x, int count, float cap) {
        call(Operation.SOFT_CAP, function, x, count, bits(cap));
    }

    void attend(
            long function,
            int type,
            long queries,
            long queryStride,
            int heads,
            int size,
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
        call(
                Operation.ATTEND,
                function,
                type,
                queries,
                queryStride,
                heads,
                size,
                keys,
                values,
                pendingKeys,
                pendingValues,
                ancestors,
                spans,
                rows,
                bits(scale),
                bits(softCap),
                scratch,
                partials,
                partialStride);
    }

    void join(long function, long partials, int blocks, int heads, int size, long out) {
        call(Operation.JOIN, function, partials, blocks, heads, size, out, 0);
    }

    int largest(long function, long x, int count) {
        return (int) call(Operation.LARGEST, function, x, count, 0);
    }

    void tally(long function, long x, int count, float shift, float temperature, int weigh, long tally) {
        call(Operation.TALLY, function, x, count, bits(shift), bits(temperature), weigh, tally);
    }

    int gather(
            long function,
            long x,
            int count,
            float shift,
            float temperature,
            float least,
            float below,
            long tokens,
            long values) {
        return (int) call(
                Operation.GATHER,
                function,
                x,
                count,
                bits(shift),
                bits(temperature),
                bits(least),
                bits(below),
                tokens,
                values,
                0);
    }

    int contend(
            long function,
            long x,
            int count,
            float shift,
            float temperature,
            float least,
            float best,
            long key,
            long tokens,
            long values) {
        return (int) call(
                Operation.CONTEND,
                function,
                x,
                count,
                bits(shift),
                bits(temperature),
                bits(least),
                bits(best),
                key,
                tokens,
                values);
    }

    void contenders(long function, long x, long radii, int count, float reach, float least, long units) {
        call(Operation.CONTENDERS, function, x, radii, count, bits(reach), bits(least), units);
    }

    /** A sum of the words read, so that they are. */
    long peakRead(long function, long at, long bytes, long ahead) {
        return call(Operation.PEAK_READ, function, at, bytes, ahead);
    }

    /** The multiply-adds done in {@code rounds} rounds. */
    long peakProducts(long function, long rounds) {
        return call(Operation.PEAK_PRODUCTS, function, rounds, 0, 0);
    }

    private static long bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private long call(Operation operation, long function, long a0, long a1, long a2) {
        return call(operation, function, a0, a1, a2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private long call(Operation operation, long function, long a0, long a1, long a2, long a3, long a4, long a5) {
        return call(operation, function, a0, a1, a2, a3, a4, a5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private long call(
            Operation operation,
            long function,
            long a0,
            long a1,
            long a2,
            long a3,
            long a4,
            long a5,
            long a6,
            long a7,
            long a8) {
        return call(operation, function, a0, a1, a2, a3, a4, a5, a6, a7, a8, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private long call(
            Operation operation,
            long function,
            long a0,
            long a1,
            long a2,
            long a3,
            long a4,
            long a5,
            long a6,
            long a7,
            long a8,
            long a9,
            long a10,
            long a11,
            long a12,
            long a13,
            long a14,
            long a15,
            long a16) {
        return linker.call(
                entry,
                operation.ordinal(),
                function,
                a0,
                a1,
                a2,
                a3,
                a4,
                a5,
                a6,
                a7,
                a8,
                a9,
                a10,
                a11,
                a12,
                a13,
                a14,
                a15,
                a16);
    }
}
