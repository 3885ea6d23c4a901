package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static uzu.backend.cpu.KeyValueLayout.GROUP;
import static uzu.backend.cpu.KeyValueLayout.PANEL;
import static uzu.backend.cpu.Memory.ALL;

import uzu.KvCache;

/** Keys and values in a few bits: the specification of how they are stored, scored and summed. */
final class ScalarCacheQuants {
    private static final float MOST_HALF = 65504f;

    private ScalarCacheQuants() {}

    static void store(KvCache type, long in, int size, long out) {
        boolean bytes = type == KvCache.Q8;
        int groups = size / GROUP;
        float[] x = turned(in, size);
        long scales = out + (bytes ? size : size / 2);
        for (int group = 0; group < groups; group++) {
            float least = x[group * GROUP];
            float most = least;
            for (int i = 1; i < GROUP; i++) {
                least = Math.min(least, x[group * GROUP + i]);
                most = Math.max(most, x[group * GROUP + i]);
            }
            float range = bytes ? Math.max(Math.abs(least), Math.abs(most)) / 127 : (most - least) / 15;
            float scale = rounded(range);
            float minimum = bytes ? 0 : rounded(least);
            ALL.set(JAVA_SHORT_UNALIGNED, scales + 2L * group, Float.floatToFloat16(scale));
            if (!bytes) {
                ALL.set(JAVA_SHORT_UNALIGNED, scales + 2L * (groups + group), Float.floatToFloat16(minimum));
            }
            for (int i = 0; i < GROUP; i++) {
                float number = scale > 0 ? (x[group * GROUP + i] - minimum) / scale : 0;
                if (bytes) {
                    int quant = (int) Math.rint(Math.clamp(number, -127f, 127f));
                    ALL.set(JAVA_BYTE, out + group * GROUP + i, (byte) quant);
                } else {
                    int quant = (int) Math.rint(Math.clamp(number, 0f, 15f));
                    long at = out + group * (GROUP / 2) + i % (GROUP / 2);
                    int other = i < GROUP / 2 ? 0 : ALL.get(JAVA_BYTE, at);
                    ALL.set(JAVA_BYTE, at, (byte) (other | quant << (i < GROUP / 2 ? 0 : 4)));
                }
            }
        }
    }

    /** As f16 keeps it; adding 0 leaves no negative zero. */
    private static float rounded(float x) {
        return Float.float16ToFloat(Float.floatToFloat16(Math.clamp(x, -MOST_HALF, MOST_HALF) + 0f));
    }

    /** Runs as long as the largest power of two that divides {@code size}, each times the Hadamard matrix / √length. */
    static float[] turned(long in, int size) {
        int run = Integer.lowestOneBit(size);
        float scale = 1f / (float) Math.sqrt(run);
        float[] x = new float[size];
        for (int i = 0; i < size; i++) {
            x[i] = get(in + 4L * i) * scale;
        }
        for (int half = 1; half < run; half *= 2) {
            for (int i = 0; i < size; i++) {
                if ((i & half) == 0) {
                    float a = x[i];
                    float b = x[i + half];
                    x[i] = a + b;
                    x[i + half] = a - b;
                }
            }
        }
        return x;
    }

    static void turn(long x, int size) {
        float[] turned = turned(x, size);
        for (int i = 0; i < size; i++) {
            ALL.set(JAVA_FLOAT, x + 4L * i, turned[i]);
        }
    }

    /** Query · key: the key of a panel's {@code lane}, or a row of the pass, a panel of one; {@code query} is turned. */
    static float dot(float[] query, long key, int lane, int panel, int size) {
        int groups = size / GROUP;
        long groupBytes = panel == 1 ? GROUP : (long) PANEL * (GROUP + 2);
        float sum = 0;
        for (int group = 0; group < groups; group++) {
            long at = key + group * groupBytes;
            float most = 0;
            for (int i = 0; i < GROUP; i++) {
                most = Math.max(most, Math.abs(query[group * GROUP + i]));
            }
            float scale = most / 127;
            if (scale < Float.MIN_NORMAL) {
                scale = 0;
            }
            int products = 0;
            for (int i = 0; i < GROUP && scale > 0; i++) {
                int q = (int) Math.rint(query[group * GROUP + i] / scale);
                products += q * ALL.get(JAVA_BYTE, at + i / 4 * 4 * panel + lane * 4L + i % 4);
            }
            long keyScale = panel == 1 ? key + size + 2L * group : at + (long) GROUP * PANEL + 2L * lane;
            sum = Math.fma(scale * half(keyScale), products, sum);
        }
        return sum;
    }

    /** sum[c] = fma(factor, value[c], sum[c]). */
    static void accumulate(KvCache type, float factor, long value, int size, long sum) {
        boolean bytes = type == KvCache.Q8;
        int groups = size / GROUP;
        long scales = value + (bytes ? size : size / 2);
        for (int c = 0; c < size; c++) {
            int group = c / GROUP;
            float scale = half(scales + 2L * group);
            float number;
            if (bytes) {
                number = scale * ALL.get(JAVA_BYTE, value + c);
            } else {
                int i = c % GROUP;
                int pair = ALL.get(JAVA_BYTE, value + group * (GROUP / 2) + i % (GROUP / 2));
                int quant = (i < GROUP / 2 ? pair : pair >> 4) & 15;
                number = Math.fma(scale, quant, half(scales + 2L * (groups + group)));
            }
            ALL.set(JAVA_FLOAT, sum + 4L * c, Math.fma(factor, number, get(sum + 4L * c)));
        }
    }

    private static float half(long address) {
        return Float.float16ToFloat(ALL.get(JAVA_SHORT_UNALIGNED, address));
    }

    private static float get(long address) {
        return ALL.get(JAVA_FLOAT, address);
    }
}
