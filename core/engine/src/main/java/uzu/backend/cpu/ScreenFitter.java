package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Fits a {@link Screen} to a readout. The bound is tightest where s² is as the inputs' size in each column; then errors
 * weigh as much as they do in logits, and each group's scale and minimum are fitted so.
 */
final class ScreenFitter {
    private static final MatrixLayout LAYOUT = MatrixLayout.Q4_1;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int LEVELS = 15;
    private static final double ROUNDING = 0x1p-24;
    /** Larger norms may overflow floats; such rows are always looked at. */
    private static final double MOST_SQUARE = 0x1p60;

    private static final double UNDERFLOW = 0x1p-60;

    private final PackedMatrix exact;
    private final Screen screen;
    private final double[] weight;

    /**
     * @param sizes root mean squares of the inputs' columns
     * @param memory takes the screen's bytes
     */
    ScreenFitter(PackedMatrix exact, double[] sizes, Memory memory) {
        this.exact = exact;
        int columns = exact.columns();
        double mean = Arrays.stream(sizes).average().orElseThrow();
        weight = new double[columns];
        double[] inverse = new double[columns];
        for (int k = 0; k < columns; k++) {
            // A column that calibration saw nothing of may yet come.
            weight[k] = mean > 0 && mean < Double.MAX_VALUE ? Math.clamp(sizes[k] / mean, 0.01, 1e4) : 1;
            inverse[k] = 1 / Math.sqrt(weight[k]);
        }
        int units = exact.units();
        long bytes = units * LAYOUT.unitBytes(columns);
        long radii = 4L * units * LANES;
        long address = memory.allocate(bytes + radii, "the screen of the readout");
        MemorySegment data = Memory.ALL.asSlice(address, bytes);
        PackedMatrix matrix = new PackedMatrix(exact.name(), exact.rows(), columns, LAYOUT, false, data);
        screen = new Screen(matrix, address + bytes, inverse);
    }

    Screen screen() {
        return screen;
    }

    /** Fits units {@code from} to {@code to}; different workers may fit different ones. */
    void fit(int from, int to) {
        int groups = exact.columns() / GROUP;
        GroupReader reader = new GroupReader(exact);
        float[] weights = new float[GROUP * LANES];
        byte[] out = new byte[(int) LAYOUT.unitBytes(exact.columns())];
        Lane lane = new Lane();
        double[] errors = new double[LANES];
        double[] sizes = new double[LANES];
        double[] terms = new double[LANES];
        for (int unit = from; unit < to; unit++) {
            Arrays.fill(errors, 0);
            Arrays.fill(sizes, 0);
            Arrays.fill(terms, 0);
            for (int group = 0; group < groups; group++) {
                reader.dequantise(unit, group, GROUP, weights);
                int at = (int) LAYOUT.groupOffset(group);
                int scales = at + LAYOUT.planeBytes();
                for (int i = 0; i < LANES; i++) {
                    lane.fit(weights, i, weight, group * GROUP);
                    BitPlanes.pack(LAYOUT, lane.packed, out, at, i);
                    SHORT.set(out, scales + 2 * i, Float.floatToFloat16(lane.scale));
                    SHORT.set(out, scales + 2 * LANES + 2 * i, Float.floatToFloat16(lane.minimum));
                    errors[i] += lane.error;
                    sizes[i] += lane.size;
                    terms[i] += lane.terms;
                }
            }
            MemorySegment.copy(
                    out, 0, screen.matrix().data(), ValueLayout.JAVA_BYTE, (long) unit * out.length, out.length);
            for (int i = 0; i < LANES; i++) {
                float radius = radius(errors[i], sizes[i], terms[i], groups);
                Memory.RAW.putFloat(screen.radii() + 4L * (unit * LANES + i), radius);
            }
        }
    }

    /**
     * The exact logit is off the sum by at most (groups + 1) roundings of Σ |w|·|x|, its dequantised weights by three,
     * the approximate one by (2 · groups + 1) of Σ (scale · quant + |minimum|) · |x|; 1 % covers products of roundings.
     */
    private static float radius(double error, double size, double terms, int groups) {
        if (!(size <= MOST_SQUARE && terms <= MOST_SQUARE)) {
            return Float.POSITIVE_INFINITY;
        }
        double rounding = 1.01 * ROUNDING * ((groups + 4) * Math.sqrt(size) + (2 * groups + 1) * Math.sqrt(terms));
        return Math.nextUp((float) ((Math.sqrt(error) + rounding + UNDERFLOW) * (1 + 1e-9)));
    }

    /** One row's group of columns. */
    private static final class Lane {
        final int[] packed = new int[GROUP / 4];
        float scale;
        float minimum;
        /** Sums of weight times the squares of errors, of weights, and of what products add up. */
        double error;

        double size;
        double terms;

        private final float[] row = new float[GROUP];
        private final float[] quants = new float[GROUP];

        void fit(float[] weights, int lane, double[] importance, int first) {
            float least = Float.POSITIVE_INFINITY;
            float most = Float.NEGATIVE_INFINITY;
            for (int k = 0; k < GROUP; k++) {
                row[k] = weights[k * LANES + lane];
                least = Math.min(least, row[k]);
                most = Math.max(most, row[k]);
            }
            minimum = least;
            scale = (most - least) / LEVELS;
            quantise();
            refine(importance, first);
            scale = Float.float16ToFloat(Float.floatToFloat16(scale));
            minimum = Float.float16ToFloat(Float.floatToFloat16(minimum));
            quantise();
            sum(importance, first);
        }

        private void quantise() {
            float inverse = scale == 0 ? 0 : 1 / scale;
            for (int k = 0; k < GROUP; k++) {
                quants[k] = Math.clamp((int) ((row[k] - minimum) * inverse + 0.5f), 0, LEVELS);
            }
        }

        /** Scale and minimum with the least weighted square error for these quants. */
        private void refine(double[] importance, int first) {
            double all = 0;
            double q = 0;
            double w = 0;
            double qq = 0;
            double qw = 0;
            for (int k = 0; k < GROUP; k++) {
                double i = importance[first + k];
                double iq = i * quants[k];
                all += i;
                q += iq;
                w += i * row[k];
                qq += iq * quants[k];
                qw += iq * row[k];
            }
            double spread = qq * all - q * q;
            if (spread > 0) {
                double slope = (qw * all - q * w) / spread;
                scale = (float) slope;
                minimum = (float) ((w - slope * q) / all);
            }
        }

        private void sum(double[] importance, int first) {
            error = 0;
            size = 0;
            terms = 0;
            for (int j = 0; j < packed.length; j++) {
                int four = 0;
                for (int i = 0; i < 4; i++) {
                    int k = 4 * j + i;
                    double value = (double) scale * quants[k];
                    double off = row[k] - value - minimum;
                    double term = Math.abs(value) + Math.abs(minimum);
                    error += importance[first + k] * off * off;
                    size += importance[first + k] * row[k] * row[k];
                    terms += importance[first + k] * term * term;
                    four |= (int) quants[k] << 8 * i;
                }
                packed[j] = four;
            }
        }
    }
}
