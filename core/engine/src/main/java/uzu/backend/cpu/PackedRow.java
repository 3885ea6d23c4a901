package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.MatrixLayout.VECTOR;
import static uzu.backend.cpu.Memory.ALL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** One row of a packed matrix, dequantised without its neighbours in the unit. */
final class PackedRow {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MatrixLayout layout;
    private final MemorySegment data;
    private final int columns;
    private final long unit;
    private final int lane;

    PackedRow(PackedMatrix matrix, int row) {
        layout = matrix.layout();
        data = matrix.data();
        columns = matrix.columns();
        unit = row / LANES * layout.unitBytes(columns);
        lane = row % LANES;
    }

    /** Writes scale · value for all columns, floats, to address {@code out}. */
    void scaledTo(float scale, long out) {
        if (layout.type.isQuantized()) {
            for (int group = 0; group < columns / GROUP; group++) {
                long at = unit + layout.groupOffset(group);
                long eight = unit + layout.superOffset(group);
                half(at, eight, 0, scale, out + 4L * group * GROUP);
                half(at, eight, 1, scale, out + 4L * group * GROUP + 2L * GROUP);
            }
            return;
        }
        for (int k = 0; k < columns; k++) {
            ALL.set(
                    ValueLayout.JAVA_FLOAT,
                    out + 4L * k,
                    scale * value(unit + ((long) k * LANES + lane) * layout.type.blockBytes()));
        }
    }

    private float value(long at) {
        return switch (layout) {
            case F32 -> Float.intBitsToFloat(data.get(INT, at));
            case F16 -> Float.float16ToFloat(data.get(SHORT, at));
            case BF16 -> Float.intBitsToFloat(data.get(SHORT, at) << 16);
            default -> throw new IllegalStateException(layout + " isn't float");
        };
    }

    /** 16 columns of the group at {@code at} whose super values are at {@code eight}. */
    private void half(long at, long eight, int half, float scale, long out) {
        long scales = at + layout.planeBytes();
        int first = data.get(ValueLayout.JAVA_BYTE, scales + lane);
        int second = data.get(ValueLayout.JAVA_BYTE, scales + LANES + lane);
        int sub = half == 0 ? first : second;
        float w;
        float minimum = 0;
        boolean plain = false;
        switch (layout.scales) {
            case HALF_MIN -> {
                w = float16(scales);
                minimum = float16(scales + 2 * LANES);
            }
            case BYTE_MIN -> {
                w = float16(eight) * (first & 255);
                minimum = -(float16(eight + 2 * LANES) * (second & 255));
            }
            case NIBBLE_PAIR_MIN -> {
                w = float16(eight) * (sub & 15);
                minimum = -float16(eight + 2 * LANES) * (sub >> 4 & 15);
            }
            case BYTE_PAIR -> {
                w = float16(eight) * sub;
                plain = true;
            }
            default -> {
                w = float16(scales);
                plain = true;
            }
        }
        for (int j = 0; j < 4; j++) {
            int four = four(at, 4 * half + j);
            for (int i = 0; i < 4; i++) {
                int q = layout.lowBits == 8 ? (byte) (four >> 8 * i) : (four >> 8 * i & 255) - layout.offset;
                float value = plain ? w * q : w * q + minimum;
                ALL.set(ValueLayout.JAVA_FLOAT, out + 16L * j + 4L * i, scale * value);
            }
        }
    }

    private float float16(long at) {
        return Float.float16ToFloat(data.get(SHORT, at + 2L * lane));
    }

    /** The quants of columns 4j to 4j + 3 of a group, a byte each. */
    private int four(long group, int j) {
        int low = plane(group, layout.lowBits, j);
        return layout.highBits == 0
                ? low
                : low | plane(group + (long) layout.lowBits * VECTOR, layout.highBits, j) << layout.lowBits;
    }

    private int plane(long planes, int bits, int j) {
        int perByte = 8 / bits;
        int packed = data.get(INT, planes + (long) (j / perByte) * VECTOR + 4L * lane);
        return packed >>> j % perByte * bits & ((1 << bits) - 1) * 0x01010101;
    }
}
