package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.VECTOR;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The bit planes of {@link MatrixLayout}: quants into them, and out of them again. */
final class BitPlanes {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private BitPlanes() {}

    /** Writes one lane of a group whose planes start at {@code to}; columns 4j to 4j + 3 are the bytes of quants[j]. */
    static void pack(MatrixLayout layout, int[] quants, byte[] out, int to, int lane) {
        int at = to + 4 * lane;
        packPlane(quants, 0, layout.lowBits, out, at);
        if (layout.highBits > 0) {
            packPlane(quants, layout.lowBits, layout.highBits, out, at + layout.lowBits * VECTOR);
        }
    }

    /** Writes bits {@code place} to {@code place + bits} of all quants. */
    private static void packPlane(int[] quants, int place, int bits, byte[] out, int to) {
        int perByte = 8 / bits;
        int mask = ((1 << bits) - 1) * 0x01010101;
        for (int v = 0; v < bits; v++) {
            int packed = 0;
            for (int t = 0; t < perByte; t++) {
                packed |= (quants[v * perByte + t] >>> place & mask) << t * bits;
            }
            INT.set(out, to + v * VECTOR, packed);
        }
    }

    /** The quants of columns 4j to 4j + 3 of a lane, a byte each, of the group whose planes {@code in} starts with. */
    static int four(MatrixLayout layout, byte[] in, int lane, int j) {
        int low = plane(in, 4 * lane, layout.lowBits, j);
        return layout.highBits == 0
                ? low
                : low | plane(in, 4 * lane + layout.lowBits * VECTOR, layout.highBits, j) << layout.lowBits;
    }

    private static int plane(byte[] in, int from, int bits, int j) {
        int packed = (int) INT.get(in, from + (j * bits >> 3) * VECTOR);
        return packed >>> (j * bits & 7) & ((1 << bits) - 1) * 0x01010101;
    }

    /** The value of byte {@code i} of four quants: less the offset, or signed if they have 8 bits. */
    static int value(MatrixLayout layout, int four, int i) {
        return layout.lowBits == 8 ? (byte) (four >> 8 * i) : (four >> 8 * i & 255) - layout.offset;
    }
}
