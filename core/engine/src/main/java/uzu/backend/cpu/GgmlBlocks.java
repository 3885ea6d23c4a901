package uzu.backend.cpu;

/**
 * Reads the blocks of GGUF's quantised types as {@link MatrixLayout} wants them: unsigned quants by vector position, and
 * scales byte for byte. The block formats are those of ggml's {@code block_q4_0} … {@code block_q6_K}.
 */
final class GgmlBlocks {
    private static final int[] POSITION = new int[MatrixLayout.GROUP];

    static {
        for (int k = 0; k < POSITION.length; k++) {
            POSITION[k] = k / 4 * MatrixLayout.VECTOR + k % 4;
        }
    }

    private GgmlBlocks() {}

    /** Where the block of group {@code group} starts in a row that starts at {@code row}. */
    static int block(MatrixLayout layout, int row, int group) {
        return row + group * MatrixLayout.GROUP / layout.type.blockSize() * layout.type.blockBytes();
    }

    /** The 32 quants of a group into {@code quants}: those of lane r at 4r + k%4 of vector k/4. */
    static void quants(MatrixLayout layout, byte[] in, int block, int group, byte[] quants, int lane) {
        int at = 4 * lane;
        int g = group % MatrixLayout.SUPER_GROUPS;
        int half = g / 4;
        int quarter = g % 4;
        switch (layout) {
            case Q4_0 -> nibbles(in, block + 2, quants, at);
            case Q4_1 -> nibbles(in, block + 4, quants, at);
            case Q5_0 -> {
                nibbles(in, block + 6, quants, at);
                fifthBits(in, block + 2, quants, at);
            }
            case Q5_1 -> {
                nibbles(in, block + 8, quants, at);
                fifthBits(in, block + 4, quants, at);
            }
            case Q8_0 -> {
                for (int k = 0; k < MatrixLayout.GROUP; k++) {
                    quants[at + POSITION[k]] = in[block + 2 + k];
                }
            }
            case Q2_K -> bits(in, block + 16 + 32 * half, 2 * quarter, 3, 0, quants, at);
            case Q3_K -> {
                bits(in, block + 32 + 32 * half, 2 * quarter, 3, 0, quants, at);
                bits(in, block, g, 1, 2, quants, at);
            }
            case Q4_K -> bits(in, block + 16 + 32 * (g / 2), 4 * (g % 2), 15, 0, quants, at);
            case Q5_K -> {
                bits(in, block + 48 + 32 * (g / 2), 4 * (g % 2), 15, 0, quants, at);
                bits(in, block + 16, g, 1, 4, quants, at);
            }
            case Q6_K -> {
                bits(in, block + 64 * half + 32 * (quarter % 2), 4 * (quarter / 2), 15, 0, quants, at);
                bits(in, block + 128 + 32 * half, 2 * quarter, 3, 4, quants, at);
            }
            case F32, F16, BF16 -> throw new IllegalArgumentException(layout + " has no quants");
        }
    }

    /** The scales of a group, for one lane, to {@code to} in the order of {@link MatrixLayout.Scales}. */
    static void scales(MatrixLayout layout, byte[] in, int block, int group, byte[] out, int to, int lane) {
        int g = group % MatrixLayout.SUPER_GROUPS;
        int second = to + MatrixLayout.LANES + lane;
        switch (layout) {
            case Q4_0, Q5_0, Q8_0 -> half(in, block, out, to + 2 * lane);
            case Q4_1, Q5_1 -> {
                half(in, block, out, to + 2 * lane);
                half(in, block + 2, out, to + 2 * MatrixLayout.LANES + 2 * lane);
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
        if (layout.scales.superBytes > 2 * MatrixLayout.LANES) {
            half(in, at + 2, out, to + 2 * MatrixLayout.LANES + 2 * lane);
        }
    }

    private static void half(byte[] in, int from, byte[] out, int to) {
        out[to] = in[from];
        out[to + 1] = in[from + 1];
    }

    /** 16 bytes whose low nibbles are columns 0 to 15 and whose high ones are columns 16 to 31. */
    private static void nibbles(byte[] in, int from, byte[] quants, int at) {
        for (int k = 0; k < 16; k++) {
            int pair = in[from + k];
            quants[at + POSITION[k]] = (byte) (pair & 15);
            quants[at + POSITION[k + 16]] = (byte) (pair >> 4 & 15);
        }
    }

    /** Bit k of the 32 belongs to column k. */
    private static void fifthBits(byte[] in, int from, byte[] quants, int at) {
        int bits = in[from] & 255 | (in[from + 1] & 255) << 8 | (in[from + 2] & 255) << 16 | in[from + 3] << 24;
        for (int k = 0; k < MatrixLayout.GROUP; k++) {
            quants[at + POSITION[k]] |= (byte) ((bits >>> k & 1) << 4);
        }
    }

    /** Adds bits of 32 consecutive bytes, one byte a column, to the quants: {@code (byte >> shift & mask) << place}. */
    private static void bits(byte[] in, int from, int shift, int mask, int place, byte[] quants, int at) {
        for (int k = 0; k < MatrixLayout.GROUP; k++) {
            int value = (in[from + k] >> shift & mask) << place;
            int position = at + POSITION[k];
            quants[position] = (byte) (place == 0 ? value : quants[position] | value);
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
