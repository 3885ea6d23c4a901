package uzu.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What each stored type's bytes mean, one value at a time: the specification that packed formats and kernels are tested
 * against. All arithmetic is in 32-bit floats, in ggml's order of operations, hence bit-equal to its reference.
 */
public final class Dequantize {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Dequantize() {}

    /** Writes row {@code row} of {@code tensor} to the first {@code tensor.columns()} places of {@code into}. */
    public static void row(Tensor tensor, long row, float[] into) {
        values(tensor.type(), tensor.row(row), Math.toIntExact(tensor.columns()), into, 0);
    }

    /**
     * Decodes consecutive values.
     *
     * @param data starts with the first value's block
     * @param count a multiple of the type's block size
     * @param into takes the values from {@code offset} on
     */
    public static void values(TensorType type, MemorySegment data, int count, float[] into, int offset) {
        if (!type.isQuantized()) {
            plain(type, data, count, into, offset);
            return;
        }
        long at = 0;
        for (int i = 0; i < count; i += type.blockSize()) {
            block(type, data, at, into, offset + i);
            at += type.blockBytes();
        }
    }

    private static void plain(TensorType type, MemorySegment data, int count, float[] into, int offset) {
        for (int i = 0; i < count; i++) {
            into[offset + i] = switch (type) {
                case F32 -> data.get(FLOAT, 4L * i);
                case F16 -> half(data, 2L * i);
                case BF16 -> Float.intBitsToFloat(data.get(SHORT, 2L * i) << 16);
                default -> throw new IllegalArgumentException(type.name());
            };
        }
    }

    private static void block(TensorType type, MemorySegment data, long at, float[] into, int offset) {
        switch (type) {
            case Q4_0 -> q40(data, at, into, offset);
            case Q4_1 -> q41(data, at, into, offset);
            case Q5_0 -> q50(data, at, into, offset);
            case Q5_1 -> q51(data, at, into, offset);
            case Q8_0 -> q80(data, at, into, offset);
            case Q2_K -> q2k(data, at, into, offset);
            case Q3_K -> q3k(data, at, into, offset);
            case Q4_K -> q4k(data, at, into, offset);
            case Q5_K -> q5k(data, at, into, offset);
            case Q6_K -> q6k(data, at, into, offset);
            case F32, F16, BF16 -> throw new IllegalArgumentException(type.name());
        }
    }

    /** f16 d, 16 bytes of nibbles (low: values 0–15, high: 16–31); d · (q − 8). */
    private static void q40(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at);
        for (int i = 0; i < 32; i++) {
            into[offset + i] = d * (nibble(data, at + 2, i) - 8);
        }
    }

    /** f16 d, f16 m, nibbles as in Q4_0; d · q + m. */
    private static void q41(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at);
        float m = half(data, at + 2);
        for (int i = 0; i < 32; i++) {
            into[offset + i] = d * nibble(data, at + 4, i) + m;
        }
    }

    /** f16 d, 32 fifth bits, nibbles; d · (q − 16). */
    private static void q50(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at);
        int high = data.get(INT, at + 2);
        for (int i = 0; i < 32; i++) {
            int q = nibble(data, at + 6, i) | (high >>> i & 1) << 4;
            into[offset + i] = d * (q - 16);
        }
    }

    /** f16 d, f16 m, 32 fifth bits, nibbles; d · q + m. */
    private static void q51(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at);
        float m = half(data, at + 2);
        int high = data.get(INT, at + 4);
        for (int i = 0; i < 32; i++) {
            int q = nibble(data, at + 8, i) | (high >>> i & 1) << 4;
            into[offset + i] = d * q + m;
        }
    }

    /** f16 d, 32 signed bytes; d · q. */
    private static void q80(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at);
        for (int i = 0; i < 32; i++) {
            into[offset + i] = d * data.get(ValueLayout.JAVA_BYTE, at + 2 + i);
        }
    }

    /** 16 bytes of scale (low nibble) and minimum (high nibble), 64 bytes of crumbs, f16 d, f16 dmin. */
    private static void q2k(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at + 80);
        float dmin = half(data, at + 82);
        for (int i = 0; i < 256; i++) {
            int scale = unsigned(data, at + i / 16);
            float dl = d * (scale & 15);
            float ml = dmin * (scale >> 4);
            into[offset + i] = dl * crumb(data, at + 16, i) - ml;
        }
    }

    /** 32 bytes of third bits, 64 bytes of crumbs, 16 packed 6-bit scales, f16 d; a clear third bit means −4. */
    private static void q3k(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at + 108);
        for (int i = 0; i < 256; i++) {
            int group = i / 16;
            int low = unsigned(data, at + 96 + group % 8) >> 4 * (group / 8) & 15;
            int high = unsigned(data, at + 104 + group % 4) >> 2 * (group / 4) & 3;
            float dl = d * ((low | high << 4) - 32);
            int third = unsigned(data, at + i % 32) >> i / 32 & 1;
            into[offset + i] = dl * (crumb(data, at + 32, i) - (third == 1 ? 0 : 4));
        }
    }

    /** f16 d, f16 dmin, 8 packed 6-bit scales and minimums, 128 bytes of nibbles. */
    private static void q4k(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at);
        float dmin = half(data, at + 2);
        for (int i = 0; i < 256; i++) {
            int group = i / 32;
            float dl = d * scale(data, at + 4, group);
            float ml = dmin * minimum(data, at + 4, group);
            int q = unsigned(data, at + 16 + group / 2 * 32 + i % 32) >> 4 * (group % 2) & 15;
            into[offset + i] = dl * q - ml;
        }
    }

    /** As Q4_K, with 32 bytes of fifth bits before the nibbles. */
    private static void q5k(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at);
        float dmin = half(data, at + 2);
        for (int i = 0; i < 256; i++) {
            int group = i / 32;
            float dl = d * scale(data, at + 4, group);
            float ml = dmin * minimum(data, at + 4, group);
            int low = unsigned(data, at + 48 + group / 2 * 32 + i % 32) >> 4 * (group % 2) & 15;
            int fifth = unsigned(data, at + 16 + i % 32) >> group & 1;
            into[offset + i] = dl * (low | fifth << 4) - ml;
        }
    }

    /** 128 bytes of low nibbles, 64 bytes of high crumbs, 16 signed scales, f16 d; (d · scale) · (q − 32). */
    private static void q6k(MemorySegment data, long at, float[] into, int offset) {
        float d = half(data, at + 208);
        for (int i = 0; i < 256; i++) {
            float dl = d * data.get(ValueLayout.JAVA_BYTE, at + 192 + i / 16);
            int half = i / 128;
            int low = unsigned(data, at + half * 64 + i % 64) >> 4 * (i % 128 / 64) & 15;
            int q = low | crumb(data, at + 128, i) << 4;
            into[offset + i] = dl * (q - 32);
        }
    }

    private static float half(MemorySegment data, long at) {
        return Float.float16ToFloat(data.get(SHORT, at));
    }

    private static int unsigned(MemorySegment data, long at) {
        return Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, at));
    }

    /** Value {@code i} of a block of 32: low nibbles first. */
    private static int nibble(MemorySegment data, long at, int i) {
        return unsigned(data, at + i % 16) >> 4 * (i / 16) & 15;
    }

    /** Two-bit value {@code i} of 256: 32 bytes hold 128 values, the lowest bits being the first 32. */
    private static int crumb(MemorySegment data, long at, int i) {
        return unsigned(data, at + i / 128 * 32 + i % 32) >> 2 * (i % 128 / 32) & 3;
    }

    /** The 6-bit scale of group {@code g} of 8; groups 4–7 keep their upper two bits beside those of 0–3. */
    private static int scale(MemorySegment data, long at, int g) {
        return g < 4
                ? unsigned(data, at + g) & 63
                : unsigned(data, at + 4 + g) & 15 | unsigned(data, at + g - 4) >> 6 << 4;
    }

    private static int minimum(MemorySegment data, long at, int g) {
        return g < 4
                ? unsigned(data, at + 4 + g) & 63
                : unsigned(data, at + 4 + g) >> 4 | unsigned(data, at + g) >> 6 << 4;
    }
}
