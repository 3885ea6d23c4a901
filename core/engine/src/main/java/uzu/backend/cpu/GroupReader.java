package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import uzu.backend.cpu.MatrixLayout.Scales;

/** Reads a packed matrix group by group; what it read last is in its fields. For one thread. */
final class GroupReader {
    /** What a lane's quants of columns 0 to 15, and of 16 to 31, are multiplied by before they are summed. */
    final int[] subScale0 = new int[LANES];

    final int[] subScale1 = new int[LANES];
    /** What the minimum is multiplied by in the halves; 1 but for {@link Scales#NIBBLE_PAIR_MIN}. */
    final int[] subMinimum0 = new int[LANES];

    final int[] subMinimum1 = new int[LANES];
    final float[] scale = new float[LANES];
    final float[] minimum = new float[LANES];

    private final PackedMatrix matrix;
    private final MatrixLayout layout;
    private final long unitBytes;
    private final byte[] bytes;
    private final byte[] superBytes;
    private final float[] superScale = new float[LANES];
    private final float[] superMinimum = new float[LANES];

    GroupReader(PackedMatrix matrix) {
        this.matrix = matrix;
        this.layout = matrix.layout();
        this.unitBytes = layout.unitBytes(matrix.columns());
        this.bytes = new byte[layout.groupBytes()];
        this.superBytes = new byte[layout.scales.superBytes];
        Arrays.fill(subScale0, 1);
        Arrays.fill(subScale1, 1);
        Arrays.fill(subMinimum0, 1);
        Arrays.fill(subMinimum1, 1);
    }

    /** Reads group {@code group} of a unit of quants: its scales now, its quants when asked for. */
    void read(int unit, int group) {
        long start = unit * unitBytes;
        copy(start + layout.groupOffset(group), bytes);
        if (superBytes.length > 0) {
            copy(start + layout.superOffset(group), superBytes);
            halves(superBytes, 0, superScale);
            if (superBytes.length > 2 * LANES) {
                halves(superBytes, 2 * LANES, superMinimum);
            }
        }
        readScales(layout.planeBytes());
    }

    /** The quants of columns 4j to 4j + 3 of a lane, for {@link BitPlanes#value}. */
    int four(int lane, int j) {
        return BitPlanes.four(layout, bytes, lane, j);
    }

    private void copy(long from, byte[] to) {
        MemorySegment.copy(matrix.data(), ValueLayout.JAVA_BYTE, from, to, 0, to.length);
    }

    private static void halves(byte[] in, int from, float[] values) {
        for (int lane = 0; lane < LANES; lane++) {
            int at = from + 2 * lane;
            values[lane] = Float.float16ToFloat((short) (in[at] & 255 | in[at + 1] << 8));
        }
    }

    private void readScales(int at) {
        switch (layout.scales) {
            case NONE -> throw new IllegalStateException(layout + " has no quants");
            case HALF -> halves(bytes, at, scale);
            case HALF_MIN -> {
                halves(bytes, at, scale);
                halves(bytes, at + 2 * LANES, minimum);
            }
            case BYTE_MIN -> {
                for (int lane = 0; lane < LANES; lane++) {
                    scale[lane] = superScale[lane] * (bytes[at + lane] & 255);
                    minimum[lane] = -(superMinimum[lane] * (bytes[at + LANES + lane] & 255));
                }
            }
            case BYTE_PAIR -> {
                for (int lane = 0; lane < LANES; lane++) {
                    scale[lane] = superScale[lane];
                    subScale0[lane] = bytes[at + lane];
                    subScale1[lane] = bytes[at + LANES + lane];
                }
            }
            case NIBBLE_PAIR_MIN -> {
                for (int lane = 0; lane < LANES; lane++) {
                    scale[lane] = superScale[lane];
                    minimum[lane] = -superMinimum[lane];
                    subScale0[lane] = bytes[at + lane] & 15;
                    subScale1[lane] = bytes[at + LANES + lane] & 15;
                    subMinimum0[lane] = bytes[at + lane] >> 4 & 15;
                    subMinimum1[lane] = bytes[at + LANES + lane] >> 4 & 15;
                }
            }
        }
    }

    /** Weights of the {@code columns} columns from {@code 32 · group} on, as floats: lane r, column k at 16k + r. */
    void dequantise(int unit, int group, int columns, float[] weights) {
        if (!layout.type.isQuantized()) {
            readFloats(unit * unitBytes + (long) group * layout.groupBytes(), columns * LANES, weights);
            return;
        }
        read(unit, group);
        for (int j = 0; j < GROUP / 4; j++) {
            int[] subScale = j < GROUP / 8 ? subScale0 : subScale1;
            int[] subMinimum = j < GROUP / 8 ? subMinimum0 : subMinimum1;
            for (int lane = 0; lane < LANES; lane++) {
                int four = four(lane, j);
                float w = scale[lane] * subScale[lane];
                float m = minimum[lane] * subMinimum[lane];
                for (int i = 0; i < 4; i++) {
                    float value = w * BitPlanes.value(layout, four, i);
                    weights[LANES * (4 * j + i) + lane] = layout.scales.hasMinimum() ? value + m : value;
                }
            }
        }
    }

    private void readFloats(long from, int count, float[] weights) {
        MemorySegment data = matrix.data();
        switch (layout) {
            case F32 -> MemorySegment.copy(data, ValueLayout.JAVA_FLOAT_UNALIGNED, from, weights, 0, count);
            case F16 -> {
                for (int i = 0; i < count; i++) {
                    weights[i] = Float.float16ToFloat(data.get(ValueLayout.JAVA_SHORT_UNALIGNED, from + 2L * i));
                }
            }
            case BF16 -> {
                for (int i = 0; i < count; i++) {
                    weights[i] = Float.intBitsToFloat(data.get(ValueLayout.JAVA_SHORT_UNALIGNED, from + 2L * i) << 16);
                }
            }
            default -> throw new IllegalStateException(layout + " isn't float");
        }
    }
}
