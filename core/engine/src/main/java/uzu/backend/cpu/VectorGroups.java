package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.FLOATS;
import static uzu.backend.cpu.VectorLanes.INTS;
import static uzu.backend.cpu.VectorLanes.PAIR;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.bytes;
import static uzu.backend.cpu.VectorLanes.halves;
import static uzu.backend.cpu.VectorLanes.single;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/** The scales of some groups and a pair of vectors' lanes, and how sums of products become floats with them. */
final class VectorGroups {
    /** Most groups; a multiple of {@link MatrixLayout#SUPER_GROUPS}. */
    static final int MOST = 16;

    private final float[] scale = new float[MOST * PAIR];
    private final float[] minimum = new float[MOST * PAIR];
    /** Of the first part of a group, and behind those of all groups of the second. */
    private final int[] subScale = new int[2 * MOST * PAIR];

    private final int[] subMinimum = new int[2 * MOST * PAIR];

    /** Reads {@code groups} groups of the unit at address {@code unit} from {@code first} on, a multiple of {@link #MOST}. */
    void read(MatrixLayout layout, long unit, int first, int groups, int lane) {
        for (int v = 0; v < PAIR; v += COUNT) {
            for (int g = 0; g < groups; g++) {
                long scales = at(unit + layout.groupOffset(first + g) + layout.planeBytes());
                long supers = unit + layout.superOffset(first + g);
                int to = g * PAIR + v;
                switch (layout.scales) {
                    case HALF -> halfScales(scales + 2L * (lane + v), scale, to);
                    case HALF_MIN -> {
                        halfScales(scales + 2L * (lane + v), scale, to);
                        halfScales(scales + 2L * (LANES + lane + v), minimum, to);
                    }
                    case BYTE_MIN -> {
                        product(supers + 2L * (lane + v), scales + lane + v, 1, scale, to);
                        product(supers + 2L * (LANES + lane + v), scales + LANES + lane + v, -1, minimum, to);
                    }
                    case BYTE_PAIR -> {
                        halfScales(supers + 2L * (lane + v), scale, to);
                        signedBytes(scales + lane + v, subScale, to);
                        signedBytes(scales + LANES + lane + v, subScale, MOST * PAIR + to);
                    }
                    case NIBBLE_PAIR_MIN -> {
                        halfScales(supers + 2L * (lane + v), scale, to);
                        negated(supers + 2L * (LANES + lane + v), minimum, to);
                        nibbles(scales + lane + v, to);
                        nibbles(scales + LANES + lane + v, MOST * PAIR + to);
                    }
                    case NONE -> throw new IllegalStateException(layout + " has no quants");
                }
            }
        }
    }

    private static void halfScales(long from, float[] to, int index) {
        halves(at(from)).intoArray(to, index);
    }

    private static void negated(long from, float[] to, int index) {
        halves(at(from)).neg().intoArray(to, index);
    }

    private static void product(long supers, long subs, float sign, float[] to, int index) {
        FloatVector sub = (FloatVector) bytes(at(subs)).convert(VectorOperators.I2F, 0);
        halves(at(supers)).mul(sub).mul(sign).intoArray(to, index);
    }

    private static void signedBytes(long from, int[] to, int index) {
        VectorLanes.signed(bytes(at(from))).intoArray(to, index);
    }

    private void nibbles(long from, int index) {
        IntVector both = bytes(at(from));
        both.and(15).intoArray(subScale, index);
        both.lanewise(VectorOperators.LSHR, 4).intoArray(subMinimum, index);
    }

    /**
     * Adds the groups of one row to {@code outputs[to]} on.
     *
     * @param sums of {@link VectorProducts}, from {@code from} on; overwritten
     * @param row of {@code inputs}, with its group that is the first here
     */
    void add(
            MatrixLayout layout,
            int groups,
            int[] sums,
            int from,
            VectorInputs inputs,
            int row,
            int first,
            float[] outputs,
            int to) {
        switch (layout.scales) {
            case BYTE_PAIR, NIBBLE_PAIR_MIN -> scaleParts(groups, sums, from);
            default -> {
                if (VectorProducts.parts(layout) == 2) {
                    addParts(groups, sums, from);
                }
            }
        }
        long d = inputs.scales(row, first);
        switch (layout.scales) {
            case HALF, BYTE_PAIR -> addScaled(groups, sums, from, d, outputs, to);
            case HALF_MIN, BYTE_MIN -> addWithMinimum(groups, sums, from, d, inputs.sums(row, first), outputs, to);
            case NIBBLE_PAIR_MIN -> addWithMinima(groups, sums, from, d, inputs.pairs(row, first, true), outputs, to);
            case NONE -> throw new IllegalStateException(layout + " has no quants");
        }
    }

    private static void addParts(int groups, int[] sums, int from) {
        for (int g = 0; g < groups; g++) {
            int at = from + 2 * g * PAIR;
            for (int v = 0; v < PAIR; v += COUNT) {
                IntVector.fromArray(INTS, sums, at + v)
                        .add(IntVector.fromArray(INTS, sums, at + v + PAIR))
                        .intoArray(sums, from + g * PAIR + v);
            }
        }
    }

    private void scaleParts(int groups, int[] sums, int from) {
        for (int g = 0; g < groups; g++) {
            int at = from + 2 * g * PAIR;
            for (int v = 0; v < PAIR; v += COUNT) {
                IntVector scale0 = IntVector.fromArray(INTS, subScale, g * PAIR + v);
                IntVector scale1 = IntVector.fromArray(INTS, subScale, (MOST + g) * PAIR + v);
                IntVector.fromArray(INTS, sums, at + v)
                        .mul(scale0)
                        .add(IntVector.fromArray(INTS, sums, at + v + PAIR).mul(scale1))
                        .intoArray(sums, from + g * PAIR + v);
            }
        }
    }

    private void addScaled(int groups, int[] sums, int from, long d, float[] outputs, int to) {
        FloatVector y0 = FloatVector.fromArray(FLOATS, outputs, to);
        FloatVector y1 = FloatVector.fromArray(FLOATS, outputs, to + COUNT);
        for (int g = 0; g < groups; g++) {
            int i = g * PAIR;
            float x = single(at(d + 4L * g));
            FloatVector sum0 =
                    (FloatVector) IntVector.fromArray(INTS, sums, from + i).convert(VectorOperators.I2F, 0);
            FloatVector sum1 = (FloatVector)
                    IntVector.fromArray(INTS, sums, from + i + COUNT).convert(VectorOperators.I2F, 0);
            y0 = FloatVector.fromArray(FLOATS, scale, i).mul(x).fma(sum0, y0);
            y1 = FloatVector.fromArray(FLOATS, scale, i + COUNT).mul(x).fma(sum1, y1);
        }
        y0.intoArray(outputs, to);
        y1.intoArray(outputs, to + COUNT);
    }

    private void addWithMinimum(int groups, int[] sums, int from, long d, long dSums, float[] outputs, int to) {
        FloatVector y0 = FloatVector.fromArray(FLOATS, outputs, to);
        FloatVector y1 = FloatVector.fromArray(FLOATS, outputs, to + COUNT);
        for (int g = 0; g < groups; g++) {
            int i = g * PAIR;
            float x = single(at(d + 4L * g));
            FloatVector xSum = FloatVector.broadcast(FLOATS, single(at(dSums + 4L * g)));
            FloatVector sum0 =
                    (FloatVector) IntVector.fromArray(INTS, sums, from + i).convert(VectorOperators.I2F, 0);
            FloatVector sum1 = (FloatVector)
                    IntVector.fromArray(INTS, sums, from + i + COUNT).convert(VectorOperators.I2F, 0);
            y0 = FloatVector.fromArray(FLOATS, scale, i).mul(x).fma(sum0, y0);
            y1 = FloatVector.fromArray(FLOATS, scale, i + COUNT).mul(x).fma(sum1, y1);
            y0 = FloatVector.fromArray(FLOATS, minimum, i).fma(xSum, y0);
            y1 = FloatVector.fromArray(FLOATS, minimum, i + COUNT).fma(xSum, y1);
        }
        y0.intoArray(outputs, to);
        y1.intoArray(outputs, to + COUNT);
    }

    private void addWithMinima(int groups, int[] sums, int from, long d, long halves, float[] outputs, int to) {
        for (int v = 0; v < PAIR; v += COUNT) {
            FloatVector y = FloatVector.fromArray(FLOATS, outputs, to + v);
            for (int g = 0; g < groups; g++) {
                int i = g * PAIR + v;
                float x = single(at(d + 4L * g));
                int x0 = VectorInputs.joined(at(halves + 8L * g));
                int x1 = VectorInputs.joined(at(halves + 8L * g + 4));
                FloatVector sum =
                        (FloatVector) IntVector.fromArray(INTS, sums, from + i).convert(VectorOperators.I2F, 0);
                y = FloatVector.fromArray(FLOATS, scale, i).mul(x).fma(sum, y);
                IntVector minima = IntVector.fromArray(INTS, subMinimum, i)
                        .mul(x0)
                        .add(IntVector.fromArray(INTS, subMinimum, MOST * PAIR + i)
                                .mul(x1));
                FloatVector minimums = (FloatVector) minima.convert(VectorOperators.I2F, 0);
                y = FloatVector.fromArray(FLOATS, minimum, i).mul(x).fma(minimums, y);
            }
            y.intoArray(outputs, to + v);
        }
    }
}
