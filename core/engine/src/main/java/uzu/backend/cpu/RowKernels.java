package uzu.backend.cpu;

import uzu.KvCache;
import uzu.backend.Activation;

/**
 * What is computed row by row between the matrix products. Addresses are absolute; nothing is allocated. All twins give
 * the same bits: fused multiply-adds are written as such, a sum over columns is 16 partial sums (sum i takes columns i,
 * i + 16, … in order) joined by adding sums 8, then 4, then 2, then 1 apart, and exp and tanh are {@link Elementary}'s.
 */
interface RowKernels {
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

    /** Rounds {@code count} floats to the cache's type, ties to even. */
    void store(KvCache type, long in, int count, long out);

    /** out = activation(gate) · up. {@code out} may be {@code gate}. */
    void gate(Activation activation, long gate, long up, int count, long out);

    /** out += in. */
    void add(long in, int count, long out);

    /** x = cap · tanh(x / cap). */
    void softCap(long x, int count, float cap);

    /**
     * Attention of {@code heads} query heads, which share a key/value head, over one block of positions: first {@code
     * committed} ones that lie one after another at {@code keys} and {@code values}, then {@code pending} ones at rows
     * {@code index[0]}, {@code index[1]}, … (ints) of {@code pendingKeys} and {@code pendingValues}. For each head
     *
     * <pre>
     * s[j] = scale · (q·k[j]), capped if softCap > 0        the dot product a sum over columns by fma
     * m = max s[j]     e[j] = exp(s[j] − m)
     * l = e[0] + e[1] + …                                   one after another
     * a[c] = fma(e[j], v[j][c], a[c]) for j = 0, 1, …       from a[c] = 0
     * </pre>
     *
     * leaves a, m, l at {@code partial + head · 4 · partialFloats(headSize)}.
     *
     * @param scores scratch of heads × {@link KeyValueLayout#BLOCK} floats
     */
    void attend(
            KvCache type,
            long queries,
            int heads,
            int headSize,
            long keys,
            long values,
            int committed,
            long pendingKeys,
            long pendingValues,
            long index,
            int pending,
            float scale,
            float softCap,
            long scores,
            long partial);

    /**
     * Joins the partial results of {@code blocks} blocks, {@code heads} heads each, in block order: with M = max m, f =
     * exp(m − M): L = fma(f, l, L), A[c] = fma(f, a[c], A[c]), both from 0; out[c] = A[c] / L.
     */
    void join(long partials, int blocks, int heads, int headSize, long out);
}
