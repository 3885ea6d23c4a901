package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static uzu.backend.cpu.Memory.ALL;

import uzu.KvCache;
import uzu.backend.Activation;

/** The specification of the row kernels in Java. */
final class ScalarRowKernels implements RowKernels {
    @Override
    public void norm(long in, int runs, int columns, long weight, float epsilon, long out) {
        for (int run = 0; run < runs; run++) {
            long x = in + 4L * run * columns;
            long y = out + 4L * run * columns;
            float mean = dot(x, x, columns) / columns;
            float factor = 1f / (float) Math.sqrt(mean + epsilon);
            for (long c = 0; c < 4L * columns; c += 4) {
                put(y + c, (get(x + c) * factor) * get(weight + c));
            }
        }
    }

    @Override
    public void rotate(long x, int heads, int headSize, int half, long cosines, long sines) {
        for (int head = 0; head < heads; head++) {
            long first = x + 4L * head * headSize;
            long second = first + 4L * half;
            for (long i = 0; i < 4L * half; i += 4) {
                float a = get(first + i);
                float b = get(second + i);
                float cosine = get(cosines + i);
                float sine = get(sines + i);
                put(first + i, a * cosine - b * sine);
                put(second + i, b * cosine + a * sine);
            }
        }
    }

    @Override
    public void store(KvCache type, long in, int count, long out) {
        switch (type) {
            case F32 -> {
                for (long i = 0; i < count; i++) {
                    put(out + 4 * i, get(in + 4 * i));
                }
            }
            case F16 -> {
                for (long i = 0; i < count; i++) {
                    ALL.set(JAVA_SHORT, out + 2 * i, Float.floatToFloat16(get(in + 4 * i)));
                }
            }
            case BF16 -> {
                for (long i = 0; i < count; i++) {
                    ALL.set(JAVA_SHORT, out + 2 * i, bfloat16(get(in + 4 * i)));
                }
            }
            case Q8, Q4 -> ScalarCacheQuants.store(type, in, count, out);
        }
    }

    /** Nearest, ties to even; a NaN stays one. */
    static short bfloat16(float x) {
        int bits = Float.floatToRawIntBits(x);
        if ((bits & 0x7fffffff) > 0x7f800000) {
            return (short) (bits >>> 16 | 0x40);
        }
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    @Override
    public void gate(Activation activation, long gate, long up, int rows, int columns, int stride, long out) {
        for (long row = 0; row < rows; row++) {
            long at = 4 * row * stride;
            gate(activation, gate + at, up + at, columns, out + at);
        }
    }

    private static void gate(Activation activation, long gate, long up, int count, long out) {
        switch (activation) {
            case SILU -> {
                for (long i = 0; i < 4L * count; i += 4) {
                    put(out + i, Elementary.silu(get(gate + i)) * get(up + i));
                }
            }
            case GELU_TANH -> {
                for (long i = 0; i < 4L * count; i += 4) {
                    put(out + i, Elementary.geluTanh(get(gate + i)) * get(up + i));
                }
            }
        }
    }

    @Override
    public void add(long in, int count, long out) {
        for (long i = 0; i < 4L * count; i += 4) {
            put(out + i, get(out + i) + get(in + i));
        }
    }

    @Override
    public void softCap(long x, int count, float cap) {
        for (long i = 0; i < 4L * count; i += 4) {
            put(x + i, Elementary.softCap(get(x + i), cap));
        }
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
        ScalarAttention.attend(
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
    }

    @Override
    public void join(long partials, int blocks, int heads, int headSize, long out) {
        long headBytes = 4L * RowKernels.partialFloats(headSize);
        long blockBytes = heads * headBytes;
        for (int head = 0; head < heads; head++) {
            long first = partials + head * headBytes;
            long result = out + 4L * head * headSize;
            float max = Float.NEGATIVE_INFINITY;
            for (int block = 0; block < blocks; block++) {
                float m = get(first + block * blockBytes + 4L * headSize);
                max = m > max ? m : max;
            }
            float sum = 0;
            for (long c = 0; c < headSize; c++) {
                put(result + 4 * c, 0);
            }
            for (int block = 0; block < blocks; block++) {
                long part = first + block * blockBytes;
                float factor = Elementary.exp(get(part + 4L * headSize) - max);
                sum = Math.fma(factor, get(part + 4L * headSize + 4), sum);
                ScalarAttention.accumulate(KvCache.F32, factor, part, headSize, result);
            }
            for (long c = 0; c < headSize; c++) {
                put(result + 4 * c, get(result + 4 * c) / sum);
            }
        }
    }

    /** A sum over columns of x · y: 16 partial sums, joined 8, 4, 2, 1 apart. */
    private static float dot(long x, long y, int count) {
        return quarter(x, y, count, 0) + quarter(x, y, count, 2) + (quarter(x, y, count, 1) + quarter(x, y, count, 3));
    }

    private static float quarter(long x, long y, int count, int i) {
        return lane(x, y, count, i) + lane(x, y, count, i + 8) + (lane(x, y, count, i + 4) + lane(x, y, count, i + 12));
    }

    private static float lane(long x, long y, int count, int lane) {
        float sum = 0;
        for (long c = lane; c < count; c += 16) {
            sum = Math.fma(get(x + 4 * c), get(y + 4 * c), sum);
        }
        return sum;
    }

    private static float get(long address) {
        return ALL.get(JAVA_FLOAT, address);
    }

    private static void put(long address, float value) {
        ALL.set(JAVA_FLOAT, address, value);
    }
}
