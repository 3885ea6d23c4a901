package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static uzu.backend.cpu.KeyValueLayout.BLOCK;
import static uzu.backend.cpu.KeyValueLayout.PANEL;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.FLOATS;
import static uzu.backend.cpu.VectorLanes.PAIR;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.floats;
import static uzu.backend.cpu.VectorLanes.single;
import static uzu.backend.cpu.VectorLanes.write;

import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import uzu.KvCache;

/**
 * Attention on the Vector API, 16 positions at a time: a panel of keys or values becomes floats once for all rows and
 * heads. Of keys the lanes are positions, of values columns. For one thread; {@link #start}, then the steps in order.
 */
final class VectorAttention {
    private static final int STRIDE = BLOCK + 2 * PANEL;

    private final int[] listed = new int[PANEL];
    private int listedCount;
    private final float[] sums = new float[PANEL];
    private float[] panel = new float[0];
    private float[] row = new float[0];

    private MatrixLayout format = MatrixLayout.F32;
    private int headSize;
    private int heads;
    private long ancestors;
    private long spans;
    private int rows;
    private long scores;
    private long rowBytes;

    void start(KvCache type, int headSize, int heads, long ancestors, long spans, int rows, long scratch) {
        format = switch (type) {
            case F32 -> MatrixLayout.F32;
            case F16 -> MatrixLayout.F16;
            case BF16 -> MatrixLayout.BF16;
            default -> throw new IllegalStateException(type + " isn't float");
        };
        this.headSize = headSize;
        this.heads = heads;
        this.ancestors = ancestors;
        this.spans = spans;
        this.rows = rows;
        scores = scratch;
        rowBytes = KeyValueLayout.rowBytes(type, headSize);
        if (panel.length < PANEL * headSize) {
            panel = new float[PANEL * headSize];
            row = new float[headSize];
        }
    }

    private int span(int i, int field) {
        return ALL.get(JAVA_INT, spans + 4L * (RowKernels.SPAN * i + field));
    }

    private int end(int i) {
        return span(i, 1) + span(i, 2);
    }

    private long scores(int i, int head) {
        return scores + 4L * STRIDE * (i * heads + head);
    }

    /** Dot products of all queries with the keys they see, times scale. */
    void score(long queries, long queryStride, long keys, long pendingKeys, float scale) {
        for (int from = 0; from < BLOCK; from += PANEL) {
            boolean read = false;
            for (int i = 0; i < rows; i++) {
                if (span(i, 1) < from + PANEL && end(i) > from && span(i, 2) > 0) {
                    if (!read) {
                        VectorFloatProducts.widen(format, keys + from * rowBytes, PANEL * headSize, panel, 0);
                        read = true;
                    }
                    score(queries, queryStride, i, from, scale);
                }
            }
        }
        for (int from = 0; from < BLOCK; from += PANEL) {
            listedCount = 0;
            // The last rows see most, and what they see begins with what the others do.
            for (int i = rows - 1; i >= 0; i--) {
                int count = Math.min(PANEL, span(i, 3) - from);
                if (count > 0) {
                    if (!list(i, from, count)) {
                        transpose(pendingKeys);
                    }
                    score(queries, queryStride, i, end(i) + from, scale);
                }
            }
        }
    }

    /** Whether the rows of the pass from number {@code from} on of span i are those listed; if not, they are now. */
    private boolean list(int i, int from, int count) {
        long index = ancestors + 4L * (span(i, 4) + from);
        boolean same = count <= listedCount;
        for (int k = 0; k < count; k++) {
            int ancestor = ALL.get(JAVA_INT, index + 4L * k);
            same &= listed[k] == ancestor;
            listed[k] = ancestor;
        }
        if (!same) {
            listedCount = count;
        }
        return same;
    }

    private void transpose(long pendingKeys) {
        for (int k = 0; k < listedCount; k++) {
            VectorFloatProducts.widen(format, pendingKeys + listed[k] * rowBytes, headSize, row, 0);
            for (int c = 0; c < headSize; c++) {
                panel[c * PANEL + k] = row[c];
            }
        }
    }

    private void score(long queries, long queryStride, int i, int position, float scale) {
        long query = queries + span(i, 0) * queryStride;
        for (int head = 0; head < heads; head += 2) {
            int other = Math.min(head + 1, heads - 1);
            for (int lane = 0; lane < PANEL; lane += PAIR) {
                dots(
                        panel,
                        lane,
                        headSize,
                        query + 4L * head * headSize,
                        query + 4L * other * headSize,
                        scale,
                        scores(i, head) + 4L * (position + lane),
                        scores(i, other) + 4L * (position + lane));
            }
        }
    }

    private static void dots(
            float[] panel, int lane, int headSize, long query, long query2, float scale, long scores, long scores2) {
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        FloatVector a2 = a;
        FloatVector b2 = a;
        for (int c = 0; c < headSize; c++) {
            FloatVector first = FloatVector.fromArray(FLOATS, panel, c * PANEL + lane);
            FloatVector second = FloatVector.fromArray(FLOATS, panel, c * PANEL + lane + COUNT);
            FloatVector x = FloatVector.broadcast(FLOATS, single(at(query + 4L * c)));
            FloatVector x2 = FloatVector.broadcast(FLOATS, single(at(query2 + 4L * c)));
            a = first.fma(x, a);
            b = second.fma(x, b);
            a2 = first.fma(x2, a2);
            b2 = second.fma(x2, b2);
        }
        write(a.mul(scale), at(scores));
        write(b.mul(scale), at(scores + 4L * COUNT));
        write(a2.mul(scale), at(scores2));
        write(b2.mul(scale), at(scores2 + 4L * COUNT));
    }

    /** Scores become weights; their largest and their sum go behind the results. */
    void soften(float softCap, long partials, long partialStride) {
        for (int i = 0; i < rows; i++) {
            int first = span(i, 1);
            int end = end(i) + span(i, 3);
            for (int head = 0; head < heads; head++) {
                long x = scores(i, head);
                int from = first & -PANEL;
                int to = end + PANEL - 1 & -PANEL;
                if (softCap > 0) {
                    cap(x, from, to, softCap);
                }
                fill(x, from, first);
                fill(x, end, to);
                float max = largest(x, from, to);
                soften(x, from, to, max, sums);
                long result = partials
                        + span(i, 0) * partialStride
                        + 4L * (head * RowKernels.partialFloats(headSize) + headSize);
                ALL.set(ValueLayout.JAVA_FLOAT, result, max);
                ALL.set(ValueLayout.JAVA_FLOAT, result + 4, VectorRowKernels.joined(sums));
            }
        }
    }

    private static void fill(long x, int from, int to) {
        for (int j = from; j < to; j++) {
            ALL.set(ValueLayout.JAVA_FLOAT, x + 4L * j, Float.NEGATIVE_INFINITY);
        }
    }

    private static void cap(long x, int from, int to, float cap) {
        for (int j = from; j < to; j += COUNT) {
            write(VectorElementary.softCap(floats(at(x + 4L * j)), cap), at(x + 4L * j));
        }
    }

    private static float largest(long x, int from, int to) {
        FloatVector max = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
        for (int j = from; j < to; j += COUNT) {
            max = max.max(floats(at(x + 4L * j)));
        }
        return max.reduceLanes(VectorOperators.MAX);
    }

    private static void soften(long x, int from, int to, float max, float[] sums) {
        for (int v = 0; v < PANEL; v += COUNT) {
            FloatVector sum = FloatVector.zero(FLOATS);
            for (int j = from + v; j < to; j += PANEL) {
                FloatVector e = VectorElementary.exp(floats(at(x + 4L * j)).sub(max));
                write(e, at(x + 4L * j));
                sum = sum.add(e);
            }
            sum.intoArray(sums, v);
        }
    }

    /** Sums of values by their weights. */
    void weigh(long values, long pendingValues, long partials, long partialStride) {
        for (int i = 0; i < rows; i++) {
            for (int head = 0; head < heads; head++) {
                clear(result(i, head, partials, partialStride), headSize);
            }
        }
        for (int from = 0; from < BLOCK; from += PANEL) {
            boolean read = false;
            for (int i = 0; i < rows; i++) {
                int first = Math.max(span(i, 1), from);
                int count = Math.min(end(i), from + PANEL) - first;
                if (count > 0) {
                    if (!read) {
                        VectorFloatProducts.widen(format, values + from * rowBytes, PANEL * headSize, panel, 0);
                        read = true;
                    }
                    weigh(i, first, first - from, count, partials, partialStride);
                }
            }
        }
        for (int from = 0; from < BLOCK; from += PANEL) {
            listedCount = 0;
            for (int i = rows - 1; i >= 0; i--) {
                int count = Math.min(PANEL, span(i, 3) - from);
                if (count > 0) {
                    if (!list(i, from, count)) {
                        for (int k = 0; k < listedCount; k++) {
                            long value = pendingValues + listed[k] * rowBytes;
                            VectorFloatProducts.widen(format, value, headSize, panel, k * headSize);
                        }
                    }
                    weigh(i, end(i) + from, 0, count, partials, partialStride);
                }
            }
        }
    }

    private long result(int i, int head, long partials, long partialStride) {
        return partials + span(i, 0) * partialStride + 4L * head * RowKernels.partialFloats(headSize);
    }

    private static void clear(long out, int count) {
        for (int c = 0; c < count; c += COUNT) {
            write(FloatVector.zero(FLOATS), at(out + 4L * c));
        }
    }

    private void weigh(int i, int position, int first, int count, long partials, long partialStride) {
        for (int head = 0; head < heads; head++) {
            long weights = scores(i, head) + 4L * position;
            long out = result(i, head, partials, partialStride);
            int c = 0;
            for (; c + 4 * COUNT <= headSize; c += 4 * COUNT) {
                weighFour(panel, first * headSize + c, headSize, weights, count, out + 4L * c);
            }
            for (; c < headSize; c += COUNT) {
                weighOne(panel, first * headSize + c, headSize, weights, count, out + 4L * c);
            }
        }
    }

    private static void weighFour(float[] panel, int from, int headSize, long weights, int count, long out) {
        FloatVector a = floats(at(out));
        FloatVector b = floats(at(out + 4L * COUNT));
        FloatVector c = floats(at(out + 8L * COUNT));
        FloatVector d = floats(at(out + 12L * COUNT));
        for (int j = 0; j < count; j++) {
            FloatVector e = FloatVector.broadcast(FLOATS, single(at(weights + 4L * j)));
            int value = from + j * headSize;
            a = FloatVector.fromArray(FLOATS, panel, value).fma(e, a);
            b = FloatVector.fromArray(FLOATS, panel, value + COUNT).fma(e, b);
            c = FloatVector.fromArray(FLOATS, panel, value + 2 * COUNT).fma(e, c);
            d = FloatVector.fromArray(FLOATS, panel, value + 3 * COUNT).fma(e, d);
        }
        write(a, at(out));
        write(b, at(out + 4L * COUNT));
        write(c, at(out + 8L * COUNT));
        write(d, at(out + 12L * COUNT));
    }

    private static void weighOne(float[] panel, int from, int headSize, long weights, int count, long out) {
        FloatVector sum = floats(at(out));
        for (int j = 0; j < count; j++) {
            FloatVector e = FloatVector.broadcast(FLOATS, single(at(weights + 4L * j)));
            sum = FloatVector.fromArray(FLOATS, panel, from + j * headSize).fma(e, sum);
        }
        write(sum, at(out));
    }
}
