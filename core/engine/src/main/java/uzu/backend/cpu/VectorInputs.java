package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.floats;

import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Where the inputs of the kernels on the Vector API lie, row by row; for int8, with G groups in a row:
 * <pre>
 *  64 G  int16 q[G][8][4], four columns k as k, k + 2, k + 1, k + 3: pairs of 16 bits meet bytes 0 and 2, then bytes 1
 *        and 3, of a lane's four quants
 *   4 G  float d[G]
 *   4 G  float d·qsum[G]
 *   4 G  int16 pairs[G][2]: sums of q where k%4 is 0 or 1, and where it is 2 or 3
 *   8 G  int16 halves[G][2][2]: the same of 16 columns each
 * </pre>
 * Floats are copied.
 */
final class VectorInputs {
    static final int GROUP_WORDS = 2 * GROUP;
    private static final int GROUP_BYTES = GROUP_WORDS + 20;

    // 1.5 · 2^23: adding it rounds to an integer, ties to even, and leaves that integer in the low bits.
    private static final float ROUNDER = 12_582_912f;

    private final int groups;
    private final long rowBytes;
    private final long start;

    VectorInputs(PackedMatrix matrix, long start) {
        groups = MatrixLayout.groups(matrix.columns());
        rowBytes = matrix.floats() ? 4L * matrix.columns() : (long) groups * GROUP_BYTES;
        this.start = start;
    }

    long row(int row) {
        return start + row * rowBytes;
    }

    long words(int row, int group) {
        return row(row) + (long) group * GROUP_WORDS;
    }

    long scales(int row, int group) {
        return row(row) + (long) groups * GROUP_WORDS + 4L * group;
    }

    long sums(int row, int group) {
        return scales(row, group) + 4L * groups;
    }

    /** Pairs or, where the parts of a group are {@code two}, halves. */
    long pairs(int row, int group, boolean two) {
        return scales(row, 0) + (two ? 12L * groups + 8L * group : 8L * groups + 4L * group);
    }

    /** The sum of a pair. */
    static int joined(long pair) {
        int both = VectorLanes.number(pair);
        return (short) both + (both >> 16);
    }

    void quantise(long x, int row, int first, int last, int[] q) {
        for (int group = first; group < last; group++) {
            float d = largest(x + 4L * GROUP * group) / 127;
            d = d < Float.MIN_NORMAL ? 0 : d;
            round(x + 4L * GROUP * group, d, q);
            int low0 = store(q, 0, words(row, group));
            int low1 = store(q, GROUP / 2, words(row, group) + GROUP);
            long halves = pairs(row, group, true);
            put(halves, low0);
            put(halves + 4, low1);
            int low = (short) low0 + (short) low1;
            int high = (low0 >> 16) + (low1 >> 16);
            put(pairs(row, group, false), low & 0xffff | high << 16);
            put(scales(row, group), Float.floatToRawIntBits(d));
            put(sums(row, group), Float.floatToRawIntBits(d * (low + high)));
        }
    }

    /** As integers, so that what is no number is the largest of all. */
    private static float largest(long x) {
        IntVector largest = VectorLanes.ints(at(x)).and(0x7fffffff);
        for (int k = COUNT; k < GROUP; k += COUNT) {
            largest = largest.max(VectorLanes.ints(at(x + 4L * k)).and(0x7fffffff));
        }
        return Float.intBitsToFloat(largest.reduceLanes(VectorOperators.MAX));
    }

    private static void round(long x, float d, int[] q) {
        for (int k = 0; k < GROUP; k += COUNT) {
            FloatVector rounded = floats(at(x + 4L * k)).div(d).add(ROUNDER);
            IntVector whole = rounded.reinterpretAsInts().sub(Float.floatToRawIntBits(ROUNDER));
            (d == 0 ? IntVector.zero(whole.species()) : whole).intoArray(q, k);
        }
    }

    /** Stores 16 columns in their order; the sums of a pair, packed. */
    private static int store(int[] q, int from, long to) {
        int low = 0;
        int high = 0;
        for (int k = from; k < from + GROUP / 2; k += 4, to += 8) {
            int even = q[k] & 0xffff | q[k + 2] << 16;
            int odd = q[k + 1] & 0xffff | q[k + 3] << 16;
            ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, at(to), even & 0xffffffffL | (long) odd << 32);
            low += q[k] + q[k + 1];
            high += q[k + 2] + q[k + 3];
        }
        return low & 0xffff | high << 16;
    }

    private static void put(long to, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, at(to), value);
    }
}
