package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.FLOATS;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.floats;
import static uzu.backend.cpu.VectorLanes.write;

import jdk.incubator.vector.FloatVector;
import uzu.KvCache;
import uzu.backend.Activation;

/** The row kernels on the Vector API. What is left over behind the last whole vector is computed as the scalar twin does. */
final class VectorRowKernels implements RowKernels {
    private static final int SUMS = 16;

    private final RowKernels scalar = new ScalarRowKernels();
    private final ThreadLocal<float[]> sums = ThreadLocal.withInitial(() -> new float[SUMS]);
    private final ThreadLocal<VectorAttention> attentions = ThreadLocal.withInitial(VectorAttention::new);

    @Override
    public void norm(long in, int runs, int columns, long weight, float epsilon, long out) {
        float[] partial = sums.get();
        for (int run = 0; run < runs; run++) {
            long x = in + 4L * run * columns;
            squares(x, columns, partial);
            float mean = joined(partial) / columns;
            float factor = 1f / (float) Math.sqrt(mean + epsilon);
            scale(x, factor, weight, columns, out + 4L * run * columns);
        }
    }

    private static void squares(long x, int columns, float[] sums) {
        int whole = columns & -SUMS;
        for (int v = 0; v < SUMS; v += COUNT) {
            FloatVector sum = FloatVector.zero(FLOATS);
            for (int c = v; c < whole; c += SUMS) {
                FloatVector value = floats(at(x + 4L * c));
                sum = value.fma(value, sum);
            }
            sum.intoArray(sums, v);
        }
        for (int c = whole; c < columns; c++) {
            float value = get(x + 4L * c);
            sums[c - whole] = Math.fma(value, value, sums[c - whole]);
        }
    }

    /** 16 sums, joined 8, 4, 2, 1 apart. */
    static float joined(float[] sums) {
        return quarter(sums, 0) + quarter(sums, 2) + (quarter(sums, 1) + quarter(sums, 3));
    }

    private static float quarter(float[] sums, int i) {
        return sums[i] + sums[i + 8] + (sums[i + 4] + sums[i + 12]);
    }

    private static void scale(long x, float factor, long weight, int columns, long out) {
        int c = 0;
        for (; c + COUNT <= columns; c += COUNT) {
            write(floats(at(x + 4L * c)).mul(factor).mul(floats(at(weight + 4L * c))), at(out + 4L * c));
        }
        for (; c < columns; c++) {
            put(out + 4L * c, (get(x + 4L * c) * factor) * get(weight + 4L * c));
        }
    }

    @Override
    public void rotate(long x, int heads, int headSize, int half, long cosines, long sines) {
        int whole = half / COUNT * COUNT;
        for (int head = 0; head < heads; head++) {
            long first = x + 4L * head * headSize;
            rotate(first, first + 4L * half, whole, cosines, sines);
            for (long i = 4L * whole; i < 4L * half; i += 4) {
                float a = get(first + i);
                float b = get(first + 4L * half + i);
                put(first + i, a * get(cosines + i) - b * get(sines + i));
                put(first + 4L * half + i, b * get(cosines + i) + a * get(sines + i));
            }
        }
    }

    private static void rotate(long first, long second, int count, long cosines, long sines) {
        for (int i = 0; i < count; i += COUNT) {
            FloatVector a = floats(at(first + 4L * i));
            FloatVector b = floats(at(second + 4L * i));
            FloatVector cosine = floats(at(cosines + 4L * i));
            FloatVector sine = floats(at(sines + 4L * i));
            write(a.mul(cosine).sub(b.mul(sine)), at(first + 4L * i));
            write(b.mul(cosine).add(a.mul(sine)), at(second + 4L * i));
        }
    }

    @Override
    public void store(KvCache type, long in, int count, long out) {
        scalar.store(type, in, count, out);
    }

    @Override
    public void gate(Activation activation, long gate, long up, int rows, int columns, int stride, long out) {
        for (long row = 0; row < rows; row++) {
            long at = 4 * row * stride;
            gate(activation, gate + at, up + at, columns, out + at);
        }
    }

    private void gate(Activation activation, long gate, long up, int count, long out) {
        int whole = count / COUNT * COUNT;
        switch (activation) {
            case SILU -> silu(gate, up, whole, out);
            case GELU_TANH -> gelu(gate, up, whole, out);
        }
        int rest = count - whole;
        scalar.gate(activation, gate + 4L * whole, up + 4L * whole, 1, rest, rest, out + 4L * whole);
    }

    private static void silu(long gate, long up, int count, long out) {
        for (int i = 0; i < count; i += COUNT) {
            FloatVector y = VectorElementary.silu(floats(at(gate + 4L * i)));
            write(y.mul(floats(at(up + 4L * i))), at(out + 4L * i));
        }
    }

    private static void gelu(long gate, long up, int count, long out) {
        for (int i = 0; i < count; i += COUNT) {
            FloatVector y = VectorElementary.geluTanh(floats(at(gate + 4L * i)));
            write(y.mul(floats(at(up + 4L * i))), at(out + 4L * i));
        }
    }

    @Override
    public void add(long in, int count, long out) {
        int whole = count / COUNT * COUNT;
        for (int i = 0; i < whole; i += COUNT) {
            write(floats(at(out + 4L * i)).add(floats(at(in + 4L * i))), at(out + 4L * i));
        }
        scalar.add(in + 4L * whole, count - whole, out + 4L * whole);
    }

    @Override
    public void softCap(long x, int count, float cap) {
        int whole = count / COUNT * COUNT;
        for (int i = 0; i < whole; i += COUNT) {
            write(VectorElementary.softCap(floats(at(x + 4L * i)), cap), at(x + 4L * i));
        }
        scalar.softCap(x + 4L * whole, count - whole, cap);
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
        if (KeyValueLayout.isQuantised(type) || headSize % COUNT != 0) {
            scalar.attend(
                    type,
                    queries,
                    queryStride,
                    heads,
                    headSize,
                    keys,
                    values,
                    pendingKeys,
                    pendingValues,
                    ancestors,
                    spans,
                    rows,
                    scale,
                    softCap,
                    scratch,
                    partials,
                    partialStride);
            return;
        }
        VectorAttention attention = attentions.get();
        attention.start(type, headSize, heads, ancestors, spans, rows, scratch);
        attention.score(queries, queryStride, keys, pendingKeys, scale);
        attention.soften(softCap, partials, partialStride);
        attention.weigh(values, pendingValues, partials, partialStride);
    }

    @Override
    public void join(long partials, int blocks, int heads, int headSize, long out) {
        if (headSize % COUNT != 0) {
            scalar.join(partials, blocks, heads, headSize, out);
            return;
        }
        long headBytes = 4L * RowKernels.partialFloats(headSize);
        for (int head = 0; head < heads; head++) {
            join(partials + head * headBytes, blocks, heads * headBytes, headSize, out + 4L * head * headSize);
        }
    }

    private static void join(long first, int blocks, long blockBytes, int headSize, long out) {
        float max = Float.NEGATIVE_INFINITY;
        for (int block = 0; block < blocks; block++) {
            float m = get(first + block * blockBytes + 4L * headSize);
            max = m > max ? m : max;
        }
        float sum = 0;
        for (int c = 0; c < headSize; c += COUNT) {
            write(FloatVector.zero(FLOATS), at(out + 4L * c));
        }
        for (int block = 0; block < blocks; block++) {
            long part = first + block * blockBytes;
            float factor = Elementary.exp(get(part + 4L * headSize) - max);
            sum = Math.fma(factor, get(part + 4L * headSize + 4), sum);
            for (int c = 0; c < headSize; c += COUNT) {
                FloatVector before = floats(at(out + 4L * c));
                write(FloatVector.broadcast(FLOATS, factor).fma(floats(at(part + 4L * c)), before), at(out + 4L * c));
            }
        }
        for (int c = 0; c < headSize; c += COUNT) {
            write(floats(at(out + 4L * c)).div(sum), at(out + 4L * c));
        }
    }

    private static float get(long address) {
        return ALL.get(JAVA_FLOAT, address);
    }

    private static void put(long address, float value) {
        ALL.set(JAVA_FLOAT, address, value);
    }
}
