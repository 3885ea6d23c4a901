package uzu.backend.cpu;

import uzu.format.TensorType;

/**
 * How the weights of one tensor type are laid out for the kernels. 16 outputs (lanes) make a unit, one stream of
 * memory: group after group of 32 columns. Quant k of lane r has the byte position b = 4r + k%4 in vector j = k/4 of
 * 64 bytes, of which only bit planes are kept, in this order:
 * <ul>
 *   <li>8 bits: 8 vectors, vector j as it is;
 *   <li>4 low bits: 4 vectors, vector v holds j = 2v in its low nibbles and j = 2v + 1 in its high ones;
 *   <li>2 bits: 2 vectors, vector v holds j = 4v + t in bits 2t and 2t + 1;
 *   <li>1 bit: 1 vector, bit j of a byte belongs to vector j.
 * </ul>
 * After a group's planes come its scales for the 16 lanes, see {@link Scales}. Types with super-blocks of 256 columns
 * have the 16 super scales (f16), and the 16 super minimums if any, before each eight groups. Floats have no planes
 * and no scales: 16 values for each column.
 */
enum MatrixLayout {
    F32(TensorType.F32, 0, 0, 0, Scales.NONE),
    F16(TensorType.F16, 0, 0, 0, Scales.NONE),
    BF16(TensorType.BF16, 0, 0, 0, Scales.NONE),
    Q4_0(TensorType.Q4_0, 4, 0, 8, Scales.HALF),
    Q4_1(TensorType.Q4_1, 4, 0, 0, Scales.HALF_MIN),
    Q5_0(TensorType.Q5_0, 4, 1, 16, Scales.HALF),
    Q5_1(TensorType.Q5_1, 4, 1, 0, Scales.HALF_MIN),
    Q8_0(TensorType.Q8_0, 8, 0, 0, Scales.HALF),
    Q2_K(TensorType.Q2_K, 2, 0, 0, Scales.NIBBLE_PAIR_MIN),
    Q3_K(TensorType.Q3_K, 2, 1, 4, Scales.BYTE_PAIR),
    Q4_K(TensorType.Q4_K, 4, 0, 0, Scales.BYTE_MIN),
    Q5_K(TensorType.Q5_K, 4, 1, 0, Scales.BYTE_MIN),
    Q6_K(TensorType.Q6_K, 4, 2, 32, Scales.BYTE_PAIR);

    /** What stands after the planes of a group, 16 lanes each. */
    enum Scales {
        NONE(0, 0),
        /** The scale, f16. */
        HALF(2 * LANES, 0),
        /** The scale, f16; the minimum, f16. */
        HALF_MIN(4 * LANES, 0),
        /** The sub-scale, unsigned byte; the sub-minimum, unsigned byte. Super scale and super minimum. */
        BYTE_MIN(2 * LANES, 4 * LANES),
        /** The sub-scale of columns 0 to 15, signed byte; that of columns 16 to 31. Super scale. */
        BYTE_PAIR(2 * LANES, 2 * LANES),
        /** Like BYTE_PAIR, but sub-scale in the low nibble and sub-minimum in the high one. Both super values. */
        NIBBLE_PAIR_MIN(2 * LANES, 4 * LANES);

        final int groupBytes;
        final int superBytes;

        Scales(int groupBytes, int superBytes) {
            this.groupBytes = groupBytes;
            this.superBytes = superBytes;
        }

        boolean hasMinimum() {
            return this == HALF_MIN || this == BYTE_MIN || this == NIBBLE_PAIR_MIN;
        }
    }

    static final int LANES = 16;
    static final int GROUP = 32;
    static final int SUPER_GROUPS = 8;
    /** Bytes of one vector: 4 columns of 16 lanes. */
    static final int VECTOR = 4 * LANES;

    final TensorType type;
    final int lowBits;
    final int highBits;
    /** What the stored, unsigned quants exceed their values by. */
    final int offset;

    final Scales scales;

    MatrixLayout(TensorType type, int lowBits, int highBits, int offset, Scales scales) {
        this.type = type;
        this.lowBits = lowBits;
        this.highBits = highBits;
        this.offset = offset;
        this.scales = scales;
    }

    static MatrixLayout of(TensorType type) {
        return valueOf(type.name());
    }

    static int units(int rows) {
        return (int) ((rows + LANES - 1L) / LANES);
    }

    static int groups(int columns) {
        return (int) ((columns + GROUP - 1L) / GROUP);
    }

    /** Bytes of the planes of one group. */
    int planeBytes() {
        return (lowBits + highBits) * VECTOR;
    }

    /** Bytes of one full group, without super values. */
    int groupBytes() {
        return type.isQuantized() ? planeBytes() + scales.groupBytes : GROUP * LANES * type.blockBytes();
    }

    /** Where in its unit group {@code group} starts; its super values stand before the group that starts the eight. */
    long groupOffset(int group) {
        return (long) group * groupBytes() + (group / SUPER_GROUPS + 1L) * scales.superBytes;
    }

    /** Where in its unit the super values of {@code group} start. */
    long superOffset(int group) {
        int first = group - group % SUPER_GROUPS;
        return groupOffset(first) - scales.superBytes;
    }

    long unitBytes(int columns) {
        if (!type.isQuantized()) {
            return (long) columns * LANES * type.blockBytes();
        }
        int last = groups(columns) - 1;
        return groupOffset(last) + groupBytes();
    }
}
