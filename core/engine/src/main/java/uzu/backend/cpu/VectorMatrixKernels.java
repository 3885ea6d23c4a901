package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.VectorLanes.COUNT;
import static uzu.backend.cpu.VectorLanes.FLOATS;
import static uzu.backend.cpu.VectorLanes.PAIR;
import static uzu.backend.cpu.VectorLanes.at;
import static uzu.backend.cpu.VectorLanes.floats;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The twin on the Vector API, which has no products of bytes: those of 16 bits take twice the operations. A unit is
 * taken some groups at a time, through arrays that stay in the first cache: quants become words once for all rows,
 * products become exact sums, sums become floats.
 */
final class VectorMatrixKernels implements MatrixKernels {
    /** Rows whose outputs are kept while a unit passes by. */
    private static final int ROWS = 64;

    /** What a worker computes in. */
    private static final class Room {
        final VectorGroups groups = new VectorGroups();
        final short[] words = new short[VectorGroups.MOST * GROUP * PAIR];
        final int[] sums = new int[2 * SUMS_OF_ROW];
        final float[] outputs = new float[ROWS * LANES];
        final float[] weights = new float[GROUP * LANES];
        final int[] quants = new int[GROUP];
    }

    private static final int SUMS_OF_ROW = 2 * VectorGroups.MOST * PAIR;

    private final ThreadLocal<Room> rooms = ThreadLocal.withInitial(Room::new);

    @Override
    public String description() {
        return "vector";
    }

    @Override
    public long preparedBytes(int columns, int rows) {
        return PreparedInput.bytes(columns, rows);
    }

    @Override
    public void prepare(PackedMatrix matrix, long x, int stride, int from, int to, int first, int last, long prepared) {
        VectorInputs inputs = new VectorInputs(matrix, prepared);
        int[] quants = rooms.get().quants;
        for (int row = from; row < to; row++) {
            long in = x + (long) row * stride * Float.BYTES;
            if (matrix.floats()) {
                long start = 4L * first * GROUP;
                // A part may have no groups, and then begin beyond the last column.
                long bytes = Math.max(0, 4L * Math.min(last * GROUP, matrix.columns()) - start);
                MemorySegment.copy(ALL, in + start, ALL, inputs.row(row) + start, bytes);
            } else {
                inputs.quantise(in, row, first, last, quants);
            }
        }
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
        Room room = rooms.get();
        VectorInputs inputs = new VectorInputs(matrix, prepared);
        GroupReader reader = matrix.floats() && matrix.layout().type.isQuantized() ? new GroupReader(matrix) : null;
        for (int first = 0; first < rows; first += ROWS) {
            int count = Math.min(ROWS, rows - first);
            for (int unit = from; unit < to; unit++) {
                Arrays.fill(room.outputs, 0, count * LANES, 0);
                if (reader != null) {
                    dequantised(matrix, reader, unit, inputs, first, count, room);
                } else if (matrix.floats()) {
                    floating(matrix, unit, inputs, first, count, room);
                } else {
                    quantised(matrix, unit, inputs, first, count, room);
                }
                int lanes = Math.min(LANES, matrix.rows() - unit * LANES);
                long biases = bias == 0 ? 0 : bias + 4L * unit * LANES;
                for (int row = 0; row < count; row++) {
                    long at = out + 4 * ((long) (first + row) * stride + unit * LANES);
                    finish(room.outputs, row * LANES, lanes, at, biases, add);
                }
            }
        }
    }

    private static void quantised(PackedMatrix matrix, int unit, VectorInputs inputs, int first, int count, Room room) {
        MatrixLayout layout = matrix.layout();
        int groups = MatrixLayout.groups(matrix.columns());
        long start = matrix.data().address() + unit * layout.unitBytes(matrix.columns());
        boolean two = VectorProducts.parts(layout) == 2;
        for (int g = 0; g < groups; g += VectorGroups.MOST) {
            int some = Math.min(VectorGroups.MOST, groups - g);
            for (int lane = 0; lane < LANES; lane += PAIR) {
                long weights = start + layout.groupOffset(g) + 4L * lane;
                room.groups.read(layout, start, g, some, lane);
                if (count > 1) {
                    VectorWords.unpack(layout, weights, some, room.words);
                }
                int row = 0;
                for (; row + 2 <= count; row += 2) {
                    int r = first + row;
                    VectorProducts.twoRows(
                            layout,
                            room.words,
                            some,
                            inputs.words(r, g),
                            inputs.words(r + 1, g),
                            inputs.pairs(r, g, two),
                            inputs.pairs(r + 1, g, two),
                            room.sums,
                            SUMS_OF_ROW);
                    int to = row * LANES + lane;
                    room.groups.add(layout, some, room.sums, 0, inputs, r, g, room.outputs, to);
                    room.groups.add(layout, some, room.sums, SUMS_OF_ROW, inputs, r + 1, g, room.outputs, to + LANES);
                }
                if (row < count) {
                    int r = first + row;
                    long pairs = inputs.pairs(r, g, two);
                    VectorProducts.row(layout, weights, some, inputs.words(r, g), pairs, room.sums);
                    room.groups.add(layout, some, room.sums, 0, inputs, r, g, room.outputs, row * LANES + lane);
                }
            }
        }
    }

    private static void floating(PackedMatrix matrix, int unit, VectorInputs inputs, int first, int count, Room room) {
        MatrixLayout layout = matrix.layout();
        int columns = matrix.columns();
        long start = matrix.data().address() + unit * layout.unitBytes(columns);
        for (int k = 0; k < columns; k += GROUP) {
            int width = Math.min(GROUP, columns - k);
            long from = start + (long) k * LANES * layout.type.blockBytes();
            VectorFloatProducts.widen(layout, from, width * LANES, room.weights, 0);
            multiplyFloats(width, k, columns, inputs, first, count, room);
        }
    }

    private static void dequantised(
            PackedMatrix matrix, GroupReader reader, int unit, VectorInputs inputs, int first, int count, Room room) {
        for (int k = 0; k < matrix.columns(); k += GROUP) {
            reader.dequantise(unit, k / GROUP, GROUP, room.weights);
            multiplyFloats(GROUP, k, matrix.columns(), inputs, first, count, room);
        }
    }

    private static void multiplyFloats(
            int width, int column, int columns, VectorInputs inputs, int first, int count, Room room) {
        int row = 0;
        for (; row + VectorFloatProducts.ROWS <= count; row += VectorFloatProducts.ROWS) {
            long x = inputs.row(first + row) + 4L * column;
            VectorFloatProducts.rows(room.weights, width, x, 4L * columns, room.outputs, row * LANES);
        }
        for (; row < count; row++) {
            long x = inputs.row(first + row) + 4L * column;
            VectorFloatProducts.row(room.weights, width, x, room.outputs, row * LANES);
        }
    }

    private static void finish(float[] outputs, int from, int lanes, long out, long bias, boolean add) {
        int lane = 0;
        for (; lane + COUNT <= lanes; lane += COUNT) {
            long to = at(out + 4L * lane);
            FloatVector y = FloatVector.fromArray(FLOATS, outputs, from + lane);
            y = bias == 0 ? y : y.add(floats(at(bias + 4L * lane)));
            y = add ? floats(to).add(y) : y;
            VectorLanes.write(y, to);
        }
        for (; lane < lanes; lane++) {
            float y = outputs[from + lane];
            y = bias == 0 ? y : y + ALL.get(ValueLayout.JAVA_FLOAT, bias + 4L * lane);
            y = add ? ALL.get(ValueLayout.JAVA_FLOAT, out + 4L * lane) + y : y;
            ALL.set(ValueLayout.JAVA_FLOAT, out + 4L * lane, y);
        }
    }

    @Override
    public void embed(PackedMatrix matrix, int row, float scale, long out) {
        new PackedRow(matrix, row).scaledTo(scale, out);
    }
}
