package uzu.backend.cpu;

/**
 * Calls of C, whose other side is calls.c: addresses are longs, and a kernel's own address comes first. Through JNI,
 * since a method handle of the Foreign Function & Memory API takes 90 ms to make where it is the first and 12 where it
 * is another, and its calls 2 µs until they are compiled; these take 0.06.
 */
final class NativeCalls {
    private NativeCalls() {}

    /** Of a library at a path of zero-ended bytes; 0 if it can't be opened. Stays open. */
    static native long open(long path);

    /** The address of what a library calls by a name of zero-ended bytes; 0 if it has no such thing. */
    static native long find(long library, long name);

    /** Calls a function without arguments that returns an int. */
    static native int number(long function);

    /** Zeroed memory in whole pages; 0 if there is none. */
    static native long map(long bytes);

    static native void unmap(long address, long bytes);

    static native void wantHugePages(long address, long bytes);

    static native void pack(long function, int type, int columns, int units, long in, long out);

    static native void prepare(long function, long x, int stride, int columns, int from, int to, long prepared);

    static native void multiply(
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
            int add);

    static native void norm(long function, long in, int runs, int columns, long weight, float epsilon, long out);

    static native void rotate(long function, long x, int heads, int size, int half, long cosines, long sines);

    static native void store(long function, int type, long in, int count, long out);

    static native void gate(long function, int activation, long gate, long up, int count, long out);

    static native void add(long function, long in, int count, long out);

    static native void softCap(long function, long x, int count, float cap);

    static native void attend(
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
            long partialStride);

    static native void join(long function, long partials, int blocks, int heads, int size, long out);

    static native int largest(long function, long x, int count);

    static native void tally(long function, long x, int count, float shift, float temperature, int weigh, long tally);

    static native int gather(
            long function,
            long x,
            int count,
            float shift,
            float temperature,
            float least,
            float below,
            long tokens,
            long values);

    static native int contend(
            long function,
            long x,
            int count,
            float shift,
            float temperature,
            float least,
            float best,
            long key,
            long tokens,
            long values);
}
