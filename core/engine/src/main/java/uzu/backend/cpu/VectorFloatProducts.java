package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.FLOATS;
import static uzu.backend.cpu.VectorLanes.PAIR;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.single;

import jdk.incubator.vector.FloatVector;

/** Products of float inputs with the weights of one group, as floats: lane r, column k at 16k + r. */
final class VectorFloatProducts {
    static final int ROWS = 4;

    private VectorFloatProducts() {}

    /** Widens {@code count} floats, a multiple of a vector's, to {@code weights[to]} on. */
    static void widen(MatrixLayout layout, long from, int count, float[] weights, int to) {
        switch (layout) {
            case F32 -> {
                for (int i = 0; i < count; i += COUNT) {
                    VectorLanes.floats(at(from + 4L * i)).intoArray(weights, to + i);
                }
            }
            case F16 -> {
                for (int i = 0; i < count; i += COUNT) {
                    VectorLanes.halves(at(from + 2L * i)).intoArray(weights, to + i);
                }
            }
            case BF16 -> {
                for (int i = 0; i < count; i += COUNT) {
                    VectorLanes.brains(at(from + 2L * i)).intoArray(weights, to + i);
                }
            }
            default -> throw new IllegalStateException(layout + " isn't float");
        }
    }

    /** Adds the products of one row at {@code x} to {@code outputs[to]} on. */
    static void row(float[] weights, int columns, long x, float[] outputs, int to) {
        for (int lane = 0; lane < LANES; lane += PAIR) {
            FloatVector a = FloatVector.zero(FLOATS);
            FloatVector b = a;
            for (int k = 0; k < columns; k++) {
                FloatVector value = FloatVector.broadcast(FLOATS, single(at(x + 4L * k)));
                a = FloatVector.fromArray(FLOATS, weights, k * LANES + lane).fma(value, a);
                b = FloatVector.fromArray(FLOATS, weights, k * LANES + lane + COUNT)
                        .fma(value, b);
            }
            add(a, outputs, to + lane);
            add(b, outputs, to + lane + COUNT);
        }
    }

    /** The same of {@link #ROWS} rows, {@code stride} bytes apart. */
    static void rows(float[] weights, int columns, long x, long stride, float[] outputs, int to) {
        for (int lane = 0; lane < LANES; lane += PAIR) {
            FloatVector a0 = FloatVector.zero(FLOATS);
            FloatVector b0 = a0;
            FloatVector a1 = a0;
            FloatVector b1 = a0;
            FloatVector a2 = a0;
            FloatVector b2 = a0;
            FloatVector a3 = a0;
            FloatVector b3 = a0;
            for (int k = 0; k < columns; k++) {
                long in = x + 4L * k;
                FloatVector a = FloatVector.fromArray(FLOATS, weights, k * LANES + lane);
                FloatVector b = FloatVector.fromArray(FLOATS, weights, k * LANES + lane + COUNT);
                FloatVector x0 = FloatVector.broadcast(FLOATS, single(at(in)));
                a0 = a.fma(x0, a0);
                b0 = b.fma(x0, b0);
                FloatVector x1 = FloatVector.broadcast(FLOATS, single(at(in + stride)));
                a1 = a.fma(x1, a1);
                b1 = b.fma(x1, b1);
                FloatVector x2 = FloatVector.broadcast(FLOATS, single(at(in + 2 * stride)));
                a2 = a.fma(x2, a2);
                b2 = b.fma(x2, b2);
                FloatVector x3 = FloatVector.broadcast(FLOATS, single(at(in + 3 * stride)));
                a3 = a.fma(x3, a3);
                b3 = b.fma(x3, b3);
            }
            add(a0, outputs, to + lane);
            add(b0, outputs, to + lane + COUNT);
            add(a1, outputs, to + LANES + lane);
            add(b1, outputs, to + LANES + lane + COUNT);
            add(a2, outputs, to + 2 * LANES + lane);
            add(b2, outputs, to + 2 * LANES + lane + COUNT);
            add(a3, outputs, to + 3 * LANES + lane);
            add(b3, outputs, to + 3 * LANES + lane + COUNT);
        }
    }

    private static void add(FloatVector value, float[] outputs, int to) {
        FloatVector.fromArray(FLOATS, outputs, to).add(value).intoArray(outputs, to);
    }
}
