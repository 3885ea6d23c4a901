package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;
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

    /** Quants less the layout's offset, in vector order: that of lane r and column k at 64(k/4) + 4r + k%4. */
    static void unpack(MatrixLayout layout, byte[] in, int[] values) {
        if (layout.lowBits == 8) {
            for (int i = 0; i < GROUP * LANES; i++) {
                values[i] = in[i];
            }
            return;
        }
        unpackPlane(in, 0, layout.lowBits, 0, layout.offset, values);
        if (layout.highBits > 0) {
            unpackPlane(in, layout.lowBits * VECTOR, layout.highBits, layout.lowBits, 0, values);
        }
    }

    private static void unpackPlane(byte[] in, int plane, int bits, int place, int offset, int[] values) {
        int perByte = 8 / bits;
        int mask = (1 << bits) - 1;
        for (int vector = 0; vector < GROUP / 4; vector++) {
            int from = plane + vector / perByte * VECTOR;
            int shift = vector % perByte * bits;
            int to = vector * VECTOR;
            if (place == 0) {
                for (int b = 0; b < VECTOR; b++) {
                    values[to + b] = (in[from + b] >> shift & mask) - offset;
                }
            } else {
                for (int b = 0; b < VECTOR; b++) {
                    values[to + b] += (in[from + b] >> shift & mask) << place;
                }
            }
        }
    }
}
