package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.PreparedInput.ROWS;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import uzu.backend.cpu.MatrixLayout.Scales;

/** The specification: what every other twin must equal bit for bit. */
final class ScalarMatrixKernels implements MatrixKernels {
    /** So that reordered inputs take little memory. */
    private static final int ROWS_AT_ONCE = 32;

    @Override
    public String description() {
        return "scalar";
    }

    @Override
    public long preparedBytes(int columns, int rows) {
        return PreparedInput.bytes(columns, rows);
    }

    @Override
    public void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int first, int last, long prepared) {
        int columns = matrix.columns();
        long blockBytes = PreparedInput.blockBytes(columns, matrix.floats());
        float[] group = new float[GROUP];
        for (int row = from; row < to; row++) {
            long in = x + (long) row * stride * Float.BYTES;
            long block = prepared + row / ROWS * blockBytes;
            if (matrix.floats()) {
                for (int k = first * GROUP; k < Math.min(last * GROUP, columns); k++) {
                    long at = block + ((long) k * ROWS + row % ROWS) * Float.BYTES;
                    ALL.set(ValueLayout.JAVA_FLOAT, at, ALL.get(ValueLayout.JAVA_FLOAT, in + 4L * k));
                }
            } else {
                for (int g = first; g < last; g++) {
                    MemorySegment.copy(ALL, ValueLayout.JAVA_FLOAT, in + 4L * g * GROUP, group, 0, GROUP);
                    quantise(group, block + (long) g * PreparedInput.GROUP_BYTES, row % ROWS);
                }
            }
        }
    }

    private static void quantise(float[] x, long to, int row) {
        float max = 0;
        for (float v : x) {
            max = Math.max(max, Math.abs(v));
        }
        float d = max / 127;
        boolean zero = d < Float.MIN_NORMAL;
        d = zero ? 0 : d;
        int lows = 0;
        int highs = 0;
        for (int half = 0; half < 2; half++) {
            int low = 0;
            int high = 0;
            for (int k = half * 16; k < half * 16 + 16; k++) {
                int q = zero ? 0 : (int) Math.rint(x[k] / d);
                ALL.set(ValueLayout.JAVA_BYTE, to + row * (long) GROUP + k, (byte) q);
                low += k % 4 < 2 ? q : 0;
                high += k % 4 < 2 ? 0 : q;
            }
            pair(to + PreparedInput.HALVES + (half * ROWS + row) * 4L, low, high);
            lows += low;
            highs += high;
        }
        pair(to + PreparedInput.PAIRS + row * 4L, lows, highs);
        ALL.set(ValueLayout.JAVA_FLOAT, to + PreparedInput.SCALES + 4L * row, d);
        ALL.set(ValueLayout.JAVA_FLOAT, to + PreparedInput.SUMS + 4L * row, d * (lows + highs));
    }

    private static void pair(long to, int low, int high) {
        ALL.set(ValueLayout.JAVA_SHORT, to, (short) low);
        ALL.set(ValueLayout.JAVA_SHORT, to + 2, (short) high);
    }

    @Override
    public void multiply(
            PackedMatrix matrix,
            int from,
            int to,
            long prepared,
            int rows,
            long out,
            int stride,
            long bias,
            boolean add) {
        if (matrix.floats()) {
            multiplyFloats(matrix, from, to, prepared, rows, out, stride, bias, add);
            return;
        }
        UnitQuants quants = new UnitQuants(matrix);
        for (int first = 0; first < rows; first += ROWS_AT_ONCE) {
            int count = Math.min(ROWS_AT_ONCE, rows - first);
            Int8Inputs inputs = new Int8Inputs(quants, matrix.columns(), first, count, prepared);
            float[] sums = new float[count * LANES];
            for (int unit = from; unit < to; unit++) {
                quants.read(unit);
                int8Products(matrix, quants, inputs, count, sums);
                finish(matrix, unit, sums, count, out + (long) first * stride * Float.BYTES, stride, bias, add);
            }
        }
    }

    private static void multiplyFloats(
            PackedMatrix matrix,
            int from,
            int to,
            long prepared,
            int rows,
            long out,
            int stride,
            long bias,
            boolean add) {
        GroupReader reader = new GroupReader(matrix);
        float[] sums = new float[rows * LANES];
        for (int unit = from; unit < to; unit++) {
            Arrays.fill(sums, 0);
            floatProducts(matrix, reader, unit, prepared, rows, sums);
            finish(matrix, unit, sums, rows, out, stride, bias, add);
        }
    }

    private static void finish(
            PackedMatrix matrix, int unit, float[] sums, int rows, long out, int stride, long bias, boolean add) {
        int lanes = Math.min(LANES, matrix.rows() - unit * LANES);
        for (int row = 0; row < rows; row++) {
            for (int lane = 0; lane < lanes; lane++) {
                int output = unit * LANES + lane;
                long at = out + ((long) row * stride + output) * Float.BYTES;
                float y = sums[row * LANES + lane];
                y = bias == 0 ? y : y + ALL.get(ValueLayout.JAVA_FLOAT, bias + 4L * output);
                y = add ? ALL.get(ValueLayout.JAVA_FLOAT, at) + y : y;
                ALL.set(ValueLayout.JAVA_FLOAT, at, y);
            }
        }
    }

    private static void int8Products(PackedMatrix matrix, UnitQuants w, Int8Inputs x, int rows, float[] sums) {
        Scales scales = matrix.layout().scales;
        boolean minimum = scales == Scales.HALF_MIN || scales == Scales.BYTE_MIN;
        int groups = matrix.columns() / GROUP;
        int[] halves = new int[2 * groups];
        for (int row = 0; row < rows; row++) {
            for (int lane = 0; lane < LANES; lane++) {
                w.dot(lane, x.q, row * matrix.columns(), halves);
                float sum = 0;
                for (int g = 0; g < groups; g++) {
                    int i = row * groups + g;
                    int group = g * LANES + lane;
                    int half0 = 2 * g * LANES + lane;
                    int half1 = half0 + LANES;
                    int isum = w.subScale[half0] * halves[2 * g] + w.subScale[half1] * halves[2 * g + 1];
                    sum = Math.fma(w.scale[group] * x.d[i], (float) isum, sum);
                    if (minimum) {
                        sum = Math.fma(w.minimum[group], x.dSum[i], sum);
                    } else if (scales == Scales.NIBBLE_PAIR_MIN) {
                        int msum = w.subMinimum[half0] * x.qSum[2 * i] + w.subMinimum[half1] * x.qSum[2 * i + 1];
                        sum = Math.fma(w.minimum[group] * x.d[i], (float) msum, sum);
                    }
                }
                sums[row * LANES + lane] = sum;
            }
        }
    }

    private static void floatProducts(
            PackedMatrix matrix, GroupReader reader, int unit, long prepared, int rows, float[] sums) {
        int columns = matrix.columns();
        long blockBytes = PreparedInput.blockBytes(columns, true);
        float[] w = new float[GROUP * LANES];
        float[] s = new float[LANES];
        for (int k = 0; k < columns; k += GROUP) {
            int width = Math.min(GROUP, columns - k);
            reader.dequantise(unit, k / GROUP, width, w);
            for (int row = 0; row < rows; row++) {
                long at = prepared + row / ROWS * blockBytes + ((long) k * ROWS + row % ROWS) * Float.BYTES;
                Arrays.fill(s, 0);
                for (int i = 0; i < width; i++) {
                    float x = ALL.get(ValueLayout.JAVA_FLOAT, at + (long) i * ROWS * Float.BYTES);
                    for (int lane = 0; lane < LANES; lane++) {
                        s[lane] = Math.fma(w[i * LANES + lane], x, s[lane]);
                    }
                }
                for (int lane = 0; lane < LANES; lane++) {
                    sums[row * LANES + lane] += s[lane];
                }
            }
        }
    }

    @Override
    public void embed(PackedMatrix matrix, int row, float scale, long out) {
        new PackedRow(matrix, row).scaledTo(scale, out);
    }
}
