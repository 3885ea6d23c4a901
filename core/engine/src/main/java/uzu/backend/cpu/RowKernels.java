package uzu.backend.cpu;

import uzu.KvCache;
import uzu.backend.Activation;

/**
 * What is computed row by row between the matrix products. Addresses are absolute; nothing is allocated. All twins give
 * the same bits: fused multiply-adds are written as such, a sum over columns is 16 partial sums (sum i takes columns i,
 * i + 16, … in order) joined by adding sums 8, then 4, then 2, then 1 apart, and exp and tanh are {@link Elementary}'s.
 */
interface RowKernels {
    /** The instruction set, for reports. */
    default String description() {
        return "scalar";
    }

    /** Ints of a span of {@link #attend}. */
    int SPAN = 5;

    /** Scratch that {@link #attend} needs. */
    static long scratchBytes(int rows, int heads, int headSize) {
        // Of each query the scores of a block and of a panel, two pointers and its quants; a panel of keys; a piece of
        // values.
        return 4L * rows * heads * (KeyValueLayout.BLOCK + 2 * KeyValueLayout.PANEL + 4 + headSize / 2)
                + 4L * 2 * KeyValueLayout.PANEL * (headSize + 16)
                + (1 << 14);
    }

    /** Floats before the next head's partial result of {@link #attend}: headSize values, maximum, sum, and padding. */
    static int partialFloats(int headSize) {
        return (headSize + 2 + 15) & -16;
    }

    /**
     * For each of {@code runs} runs of {@code columns} floats: out = (in · r) · weight with r = 1 / √(sum / columns +
     * epsilon), the sum of squares by fma. {@code out} may be {@code in}.
     */
    void norm(long in, int runs, int columns, long weight, float epsilon, long out);

    /**
     * Turns {@code heads} heads of {@code headSize} floats in place: a' = a·cos − b·sin, b' = b·cos + a·sin for a =
     * x[i], b = x[i + half], i from 0 to {@code half}; products and sums rounded one by one.
     */
    void rotate(long x, int heads, int headSize, int half, long cosines, long sines);

    /**
     * Rounds {@code count} floats, a head's, to the cache's type, ties to even. Quantised, they are turned before, and of
     * each group of 32 columns with least and largest numbers a and b (see {@link KeyValueLayout}), d and m as floats after their rounding to f16
     * and bound to its finite numbers, no zero being negative,
     *
     * <pre>
     * Q8    d = max(|a|, |b|) / 127              q = x / d rounded, within ±127
     * Q4    d = (b − a) / 15     m = a           q = (x − m) / d rounded, within 0..15
     * </pre>
     *
     * and q = 0 where d = 0.
     */
    void store(KvCache type, long in, int count, long out);

    /**
     * out = activation(gate) · up for {@code columns} floats of each of {@code rows} rows, which lie {@code stride}
     * floats apart. {@code out} may be {@code gate}.
     */
    void gate(Activation activation, long gate, long up, int rows, int columns, int stride, long out);

    /** out += in. */
    void add(long in, int count, long out);

    /** x = cap · tanh(x / cap). */
    void softCap(long x, int count, float cap);

    /**
     * Attention of some rows of one sequence over one block of positions, for {@code heads} query heads that share a
     * key/value head. Its committed keys lie in panels at {@code keys}, its values at {@code values}, a position after
     * the other ({@link KeyValueLayout}); those of the pass, a row of the batch after the other, at {@code pendingKeys}
     * and {@code pendingValues}. {@code spans} says which rows attend, and to what: {@link #SPAN} ints each,
     *
     * <pre>
     * row       its queries lie at queries + row · queryStride, its results at partials + row · partialStride
     * first     the first position of the block that it sees
     * stored    how many committed positions it sees from there on; a block's last is the same for all spans
     * pending   how many positions of the pass follow those; stored + pending is at least 1
     * index     where in the ints at {@code ancestors} the numbers of their rows begin, in ascending order
     * </pre>
     *
     * For each row and head, j the position in the block, from the first to the last that it sees,
     *
     * <pre>
     * s[j] = scale · d, capped if softCap > 0               d = fma(q[c], k[j][c], d) for c = 0, 1, …, from 0
     * m = max s[j]     e[j] = exp(s[j] − m)
     * l = 16 partial sums of e (sum i takes j = i, i + 16, … in order), joined 8, 4, 2, 1 apart
     * a[c] = fma(e[j], v[j][c], a[c]) for j in order        from a[c] = 0
     * </pre>
     *
     * With quantised keys and values (see {@link KeyValueLayout}), queries are turned and quantised too, in groups of 32
     * columns as {@link MatrixKernels} prepares inputs (scale dq, quants x), d = fma(dq · dk, Σ x·q, d) for each group in
     * order, from 0; values are dv·q, or fma(dv, q, m); and a is turned back at the end. All this
     *
     * leaves a, m, l of head h at the row's results + h · 4 · partialFloats(headSize). So a row's results depend
     * neither on the other spans nor on which positions are committed.
     *
     * @param queryStride bytes, like partialStride
     * @param rows number of spans
     * @param scratch {@link #scratchBytes} bytes, aligned to 64, of which nothing is kept
     */
    void attend(
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
            long partialStride);

    /**
     * Joins the partial results of {@code blocks} blocks, {@code heads} heads each, in block order: with M = max m, f =
     * exp(m − M): L = fma(f, l, L), A[c] = fma(f, a[c], A[c]), both from 0; out[c] = A[c] / L.
     */
    void join(long partials, int blocks, int heads, int headSize, long out);
}
