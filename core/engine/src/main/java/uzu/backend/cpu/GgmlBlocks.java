package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.MatrixLayout.SUPER_GROUPS;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the blocks of GGUF's quantised types as {@link MatrixLayout} wants them: unsigned quants, four to an int, and
 * scales byte for byte. The block formats are those of ggml's {@code block_q4_0} … {@code block_q6_K}.
 */
final class GgmlBlocks {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int NIBBLES = 0x0f0f0f0f;
    private static final int ONES = 0x01010101;

    private GgmlBlocks() {}

    /** Where the block of group {@code group} starts in a row that starts at {@code row}. */
    static int block(MatrixLayout layout, int row, int group) {
        return row + group * MatrixLayout.GROUP / layout.type.blockSize() * layout.type.blockBytes();
    }

    /** The 32 quants of a group, those of columns 4j to 4j + 3 in the bytes of {@code quants[j]}. */
    static void quants(MatrixLayout layout, byte[] in, int block, int group, int[] quants) {
        int g = group % SUPER_GROUPS;
        int half = g / 4;
        int quarter = g % 4;
        switch (layout) {
            case Q4_0 -> nibbles(in, block + 2, quants);
            case Q4_1 -> nibbles(in, block + 4, quants);
            case Q5_0 -> {
                nibbles(in, block + 6, quants);
                fifthBits(in, block + 2, quants);
            }
            case Q5_1 -> {
                nibbles(in, block + 8, quants);
                fifthBits(in, block + 4, quants);
            }
            case Q8_0 -> bits(in, block + 2, 0, -1, quants);
            case Q2_K -> bits(in, block + 16 + 32 * half, 2 * quarter, 3 * ONES, quants);
            case Q3_K -> {
                bits(in, block + 32 + 32 * half, 2 * quarter, 3 * ONES, quants);
                moreBits(in, block, g, ONES, 2, quants);
            }
            case Q4_K -> bits(in, block + 16 + 32 * (g / 2), 4 * (g % 2), NIBBLES, quants);
            case Q5_K -> {
                bits(in, block + 48 + 32 * (g / 2), 4 * (g % 2), NIBBLES, quants);
                moreBits(in, block + 16, g, ONES, 4, quants);
            }
            case Q6_K -> {
                bits(in, block + 64 * half + 32 * (quarter % 2), 4 * (quarter / 2), NIBBLES, quants);
                moreBits(in, block + 128 + 32 * half, 2 * quarter, 3 * ONES, 4, quants);
            }
            case F32, F16, BF16 -> throw new IllegalArgumentException(layout + " has no quants");
        }
    }

    /** The scales of a group, for one lane, to {@code to} in the order of {@link MatrixLayout.Scales}. */
    static void scales(MatrixLayout layout, byte[] in, int block, int group, byte[] out, int to, int lane) {
        int g = group % SUPER_GROUPS;
        int second = to + LANES + lane;
        switch (layout) {
            case Q4_0, Q5_0, Q8_0 -> half(in, block, out, to + 2 * lane);
            case Q4_1, Q5_1 -> {
                half(in, block, out, to + 2 * lane);
                half(in, block + 2, out, to + 2 * LANES + 2 * lane);
            }
            case Q4_K, Q5_K -> {
                out[to + lane] = sixBits(in, block + 4, g, false);
                out[second] = sixBits(in, block + 4, g, true);
            }
            case Q2_K -> {
                out[to + lane] = in[block + 2 * g];
                out[second] = in[block + 2 * g + 1];
            }
            case Q3_K -> {
                out[to + lane] = signedSixBits(in, block + 96, 2 * g);
                out[second] = signedSixBits(in, block + 96, 2 * g + 1);
            }
            case Q6_K -> {
                out[to + lane] = in[block + 192 + 2 * g];
                out[second] = in[block + 192 + 2 * g + 1];
            }
            case F32, F16, BF16 -> throw new IllegalArgumentException(layout + " has no scales");
        }
    }

    /** The super scale, and the super minimum if the type has one, of a block for one lane. */
    static void superScales(MatrixLayout layout, byte[] in, int block, byte[] out, int to, int lane) {
        int at = switch (layout) {
            case Q2_K -> block + 80;
            case Q3_K -> block + 108;
            case Q6_K -> block + 208;
            default -> block;
        };
        half(in, at, out, to + 2 * lane);
        if (layout.scales.superBytes > 2 * LANES) {
            half(in, at + 2, out, to + 2 * LANES + 2 * lane);
        }
    }

    private static void half(byte[] in, int from, byte[] out, int to) {
        out[to] = in[from];
        out[to + 1] = in[from + 1];
    }

    private static int four(byte[] in, int from) {
        return (int) INT.get(in, from);
    }

    /** 16 bytes whose low nibbles are columns 0 to 15 and whose high ones are columns 16 to 31. */
    private static void nibbles(byte[] in, int from, int[] quants) {
        for (int j = 0; j < 4; j++) {
            int pairs = four(in, from + 4 * j);
            quants[j] = pairs & NIBBLES;
            quants[j + 4] = pairs >>> 4 & NIBBLES;
        }
    }

    /** Bit k of the 32 belongs to column k. */
    private static void fifthBits(byte[] in, int from, int[] quants) {
        int bits = four(in, from);
        for (int j = 0; j < 8; j++) {
            // The product has bit i of the four at bit 8i, besides others.
            int spread = (bits >>> 4 * j & 15) * 0x00204081 & ONES;
            quants[j] |= spread << 4;
        }
    }

    /** Bits of 32 consecutive bytes, one byte a column, where {@code mask} has them after the shift. */
    private static void bits(byte[] in, int from, int shift, int mask, int[] quants) {
        for (int j = 0; j < 8; j++) {
            quants[j] = four(in, from + 4 * j) >>> shift & mask;
        }
    }

    private static void moreBits(byte[] in, int from, int shift, int mask, int place, int[] quants) {
        for (int j = 0; j < 8; j++) {
            quants[j] |= (four(in, from + 4 * j) >>> shift & mask) << place;
        }
    }

    /** Eight scales and eight minimums of 6 bits in 12 bytes, as Q4_K and Q5_K hold them. */
    private static byte sixBits(byte[] in, int from, int group, boolean minimum) {
        int at = from + (minimum ? 4 : 0);
        if (group < 4) {
            return (byte) (in[at + group] & 63);
        }
        int low = in[from + 4 + group] >> (minimum ? 4 : 0) & 15;
        return (byte) (low | (in[at + group - 4] >> 6 & 3) << 4);
    }

    /** Sixteen scales of 6 bits, stored with 32 added, in 12 bytes, as Q3_K holds them. */
    private static byte signedSixBits(byte[] in, int from, int index) {
        int low = in[from + index % 8] >> (index < 8 ? 0 : 4) & 15;
        int high = in[from + 8 + index % 4] >> 2 * (index / 4) & 3;
        return (byte) ((low | high << 4) - 32);
    }
}
