package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.MatrixLayout.VECTOR;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.PreparedInput.ROWS;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import uzu.backend.cpu.MatrixLayout.Scales;

/** The specification: what every other twin must equal bit for bit. */
final class ScalarMatrixKernels implements MatrixKernels {
    @Override
    public String description() {
        return "scalar";
    }

    @Override
    public long preparedBytes(int columns, int rows) {
        return PreparedInput.bytes(columns, rows);
    }

    @Override
    public void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int rows, long prepared) {
        int columns = matrix.columns();
        long blockBytes = PreparedInput.blockBytes(columns, matrix.floats());
        float[] group = new float[GROUP];
        for (int row = from; row < to; row++) {
            long in = x + (long) row * stride * Float.BYTES;
            long block = prepared + row / ROWS * blockBytes;
            if (matrix.floats()) {
                for (int k = 0; k < columns; k++) {
                    long at = block + ((long) k * ROWS + row % ROWS) * Float.BYTES;
                    ALL.set(ValueLayout.JAVA_FLOAT, at, ALL.get(ValueLayout.JAVA_FLOAT, in + 4L * k));
                }
            } else {
                for (int g = 0; g < columns / GROUP; g++) {
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
        GroupReader reader = new GroupReader(matrix);
        float[] sums = new float[rows * LANES];
        for (int unit = from; unit < to; unit++) {
            Arrays.fill(sums, 0);
            if (matrix.floats()) {
                floatProducts(matrix, reader, unit, prepared, rows, sums);
            } else {
                int8Products(matrix, reader, unit, prepared, rows, sums);
            }
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
    }

    private static void int8Products(
            PackedMatrix matrix, GroupReader w, int unit, long prepared, int rows, float[] sums) {
        Scales scales = matrix.layout().scales;
        boolean minimum = scales == Scales.HALF_MIN || scales == Scales.BYTE_MIN;
        long blockBytes = PreparedInput.blockBytes(matrix.columns(), false);
        byte[] q = new byte[GROUP];
        for (int group = 0; group < matrix.columns() / GROUP; group++) {
            w.read(unit, group);
            for (int row = 0; row < rows; row++) {
                long at = prepared + row / ROWS * blockBytes + (long) group * PreparedInput.GROUP_BYTES;
                int r = row % ROWS;
                MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, at + r * (long) GROUP, q, 0, GROUP);
                float d = ALL.get(ValueLayout.JAVA_FLOAT, at + PreparedInput.SCALES + 4L * r);
                float dSum = ALL.get(ValueLayout.JAVA_FLOAT, at + PreparedInput.SUMS + 4L * r);
                int qSum0 = qSum(at, 0, r);
                int qSum1 = qSum(at, 1, r);
                for (int lane = 0; lane < LANES; lane++) {
                    int isum = w.subScale0[lane] * dot(w.quants, q, lane, 0)
                            + w.subScale1[lane] * dot(w.quants, q, lane, 4);
                    float sum = Math.fma(w.scale[lane] * d, (float) isum, sums[row * LANES + lane]);
                    if (minimum) {
                        sum = Math.fma(w.minimum[lane], dSum, sum);
                    } else if (scales == Scales.NIBBLE_PAIR_MIN) {
                        int msum = w.subMinimum0[lane] * qSum0 + w.subMinimum1[lane] * qSum1;
                        sum = Math.fma(w.minimum[lane] * d, (float) msum, sum);
                    }
                    sums[row * LANES + lane] = sum;
                }
            }
        }
    }

    private static int qSum(long at, int half, int row) {
        long pair = at + PreparedInput.HALVES + (half * ROWS + row) * 4L;
        return ALL.get(ValueLayout.JAVA_SHORT, pair) + ALL.get(ValueLayout.JAVA_SHORT, pair + 2);
    }

    /** Of one lane and 16 columns, from vector {@code vector} on. */
    private static int dot(int[] quants, byte[] q, int lane, int vector) {
        int sum = 0;
        for (int j = vector; j < vector + 4; j++) {
            int at = j * VECTOR + 4 * lane;
            int k = 4 * j;
            sum += quants[at] * q[k]
                    + quants[at + 1] * q[k + 1]
                    + quants[at + 2] * q[k + 2]
                    + quants[at + 3] * q[k + 3];
        }
        return sum;
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
