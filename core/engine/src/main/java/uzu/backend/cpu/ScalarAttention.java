package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static uzu.backend.cpu.KeyValueLayout.PANEL;
import static uzu.backend.cpu.Memory.ALL;

import uzu.KvCache;

/** The specification of {@link RowKernels#attend} in Java: one query of one row after another. */
final class ScalarAttention {
    private static final float[] NONE = {};

    private ScalarAttention() {}

    static void attend(
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
            long scores,
            long partials,
            long partialStride) {
        boolean quantised = KeyValueLayout.isQuantised(type);
        long keyBytes = KeyValueLayout.rowBytes(KeyValueLayout.keyType(type), headSize);
        long rowBytes = KeyValueLayout.rowBytes(type, headSize);
        for (int i = 0; i < rows; i++) {
            long span = spans + 4L * RowKernels.SPAN * i;
            int row = ALL.get(JAVA_INT, span);
            int first = ALL.get(JAVA_INT, span + 4);
            int committed = first + ALL.get(JAVA_INT, span + 8);
            int end = committed + ALL.get(JAVA_INT, span + 12);
            long index = ancestors + 4L * ALL.get(JAVA_INT, span + 16);
            for (int head = 0; head < heads; head++) {
                long query = queries + row * queryStride + 4L * head * headSize;
                long result = partials + row * partialStride + 4L * head * RowKernels.partialFloats(headSize);
                float[] turned = quantised ? ScalarCacheQuants.turned(query, headSize) : NONE;
                float max = Float.NEGATIVE_INFINITY;
                for (int j = first; j < end; j++) {
                    long key = j < committed
                            ? keys + j / PANEL * PANEL * keyBytes
                            : pendingKeys + ALL.get(JAVA_INT, index + 4L * (j - committed)) * keyBytes;
                    int lane = j < committed ? j % PANEL : 0;
                    int panel = j < committed ? PANEL : 1;
                    float dot = quantised
                            ? ScalarCacheQuants.dot(turned, key, lane, panel, headSize)
                            : dot(type, query, key, lane, panel, headSize);
                    float score = scale * dot;
                    if (softCap > 0) {
                        score = Elementary.softCap(score, softCap);
                    }
                    put(scores + 4L * j, score);
                    max = score > max ? score : max;
                }
                put(result + 4L * headSize, max);
                put(result + 4L * headSize + 4, soften(scores, first, end, max));
                for (long c = 0; c < headSize; c++) {
                    put(result + 4 * c, 0);
                }
                for (int j = first; j < end; j++) {
                    long value = j < committed
                            ? values + j * rowBytes
                            : pendingValues + ALL.get(JAVA_INT, index + 4L * (j - committed)) * rowBytes;
                    accumulate(type, get(scores + 4L * j), value, headSize, result);
                }
                if (quantised) {
                    ScalarCacheQuants.turn(result, headSize);
                }
            }
        }
    }

    /** Query · key, where column c of the key is number first + c · step; {@code step} is that of a panel, or 1. */
    private static float dot(KvCache type, long query, long key, int first, int step, int count) {
        float sum = 0;
        switch (type) {
            case F32 -> {
                for (long c = 0; c < count; c++) {
                    sum = Math.fma(get(query + 4 * c), get(key + 4 * (first + c * step)), sum);
                }
            }
            case F16 -> {
                for (long c = 0; c < count; c++) {
                    sum = Math.fma(get(query + 4 * c), half(key + 2 * (first + c * step)), sum);
                }
            }
            case BF16 -> {
                for (long c = 0; c < count; c++) {
                    sum = Math.fma(get(query + 4 * c), brain(key + 2 * (first + c * step)), sum);
                }
            }
            case Q8, Q4 -> throw new IllegalArgumentException("quantised keys have quantised queries");
        }
        return sum;
    }

    /** Weights from scores; their sum. */
    private static float soften(long scores, int first, int end, float max) {
        for (int j = first; j < end; j++) {
            put(scores + 4L * j, Elementary.exp(get(scores + 4L * j) - max));
        }
        return eighth(scores, first, end, 0)
                + eighth(scores, first, end, 2)
                + (eighth(scores, first, end, 1) + eighth(scores, first, end, 3));
    }

    private static float eighth(long x, int first, int end, int i) {
        return lane(x, first, end, i)
                + lane(x, first, end, i + 8)
                + (lane(x, first, end, i + 4) + lane(x, first, end, i + 12));
    }

    private static float lane(long x, int first, int end, int lane) {
        float sum = 0;
        for (int j = first + (lane - first & 15); j < end; j += 16) {
            sum += get(x + 4L * j);
        }
        return sum;
    }

    /** sum[c] = fma(factor, x[c], sum[c]). */
    static void accumulate(KvCache type, float factor, long x, int count, long sum) {
        switch (type) {
            case F32 -> {
                for (long c = 0; c < count; c++) {
                    put(sum + 4 * c, Math.fma(factor, get(x + 4 * c), get(sum + 4 * c)));
                }
            }
            case F16 -> {
                for (long c = 0; c < count; c++) {
                    put(sum + 4 * c, Math.fma(factor, half(x + 2 * c), get(sum + 4 * c)));
                }
            }
            case BF16 -> {
                for (long c = 0; c < count; c++) {
                    put(sum + 4 * c, Math.fma(factor, brain(x + 2 * c), get(sum + 4 * c)));
                }
            }
            case Q8, Q4 -> ScalarCacheQuants.accumulate(type, factor, x, count, sum);
        }
    }

    private static float half(long address) {
        return Float.float16ToFloat(ALL.get(JAVA_SHORT, address));
    }

    private static float brain(long address) {
        return Float.intBitsToFloat(ALL.get(JAVA_SHORT, address) << 16);
    }

    private static float get(long address) {
        return ALL.get(JAVA_FLOAT, address);
    }

    private static void put(long address, float value) {
        ALL.set(JAVA_FLOAT, address, value);
    }
}
