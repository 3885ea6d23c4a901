package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.MatrixLayout.VECTOR;

/** The quants of a group, one a byte in vector order, to and from the planes that {@link MatrixLayout} keeps. */
final class BitPlanes {
    private BitPlanes() {}

    static void pack(MatrixLayout layout, byte[] quants, byte[] out, int to) {
        if (layout.lowBits == 8) {
            System.arraycopy(quants, 0, out, to, GROUP * LANES);
            return;
        }
        int plane = to;
        for (int place = 0; place < layout.lowBits + layout.highBits; ) {
            int bits = place == 0 ? layout.lowBits : layout.highBits;
            packPlane(quants, place, bits, out, plane);
            plane += bits * VECTOR;
            place += bits;
        }
    }

    /** Writes bits {@code place} to {@code place + bits} of all quants. */
    private static void packPlane(byte[] quants, int place, int bits, byte[] out, int to) {
        int perByte = 8 / bits;
        int mask = (1 << bits) - 1;
        for (int v = 0; v < bits; v++) {
            for (int b = 0; b < VECTOR; b++) {
                int packed = 0;
                for (int t = 0; t < perByte; t++) {
                    packed |= (quants[(v * perByte + t) * VECTOR + b] >> place & mask) << t * bits;
                }
                out[to + v * VECTOR + b] = (byte) packed;
            }
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
