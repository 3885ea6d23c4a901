package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.MatrixLayout.LANES;

import java.util.Arrays;

/**
 * The quants of a unit as the JIT compiler likes them. Columns are reordered: a row is cut into halves of groups (16
 * columns), and pair p of half h lies at 2·(p·halves + h), so that one loop over the halves multiplies and adds pairs
 * of shorts into integers side by side, which compiles to the processor's instruction for that. For one thread.
 */
final class UnitQuants {
    private static final int HALF = GROUP / 2;

    final float[] scale;
    final float[] minimum;
    /** Of half h and lane r at 16h + r. */
    final int[] subScale;

    final int[] subMinimum;

    private final MatrixLayout layout;
    private final GroupReader reader;
    private final int halves;
    private final short[] quants;

    UnitQuants(PackedMatrix matrix) {
        layout = matrix.layout();
        reader = new GroupReader(matrix);
        halves = matrix.columns() / HALF;
        quants = new short[LANES * matrix.columns()];
        scale = new float[halves / 2 * LANES];
        minimum = new float[halves / 2 * LANES];
        subScale = new int[halves * LANES];
        subMinimum = new int[halves * LANES];
    }

    void read(int unit) {
        for (int group = 0; group < halves / 2; group++) {
            reader.read(unit, group);
            System.arraycopy(reader.scale, 0, scale, group * LANES, LANES);
            System.arraycopy(reader.minimum, 0, minimum, group * LANES, LANES);
            int half = 2 * group;
            System.arraycopy(reader.subScale0, 0, subScale, half * LANES, LANES);
            System.arraycopy(reader.subScale1, 0, subScale, (half + 1) * LANES, LANES);
            System.arraycopy(reader.subMinimum0, 0, subMinimum, half * LANES, LANES);
            System.arraycopy(reader.subMinimum1, 0, subMinimum, (half + 1) * LANES, LANES);
            for (int j = 0; j < GROUP / 4; j++) {
                int to = position(half + j / 4, j % 4 * 2);
                for (int lane = 0; lane < LANES; lane++, to += halves * HALF) {
                    int four = reader.four(lane, j);
                    quants[to] = (short) BitPlanes.value(layout, four, 0);
                    quants[to + 1] = (short) BitPlanes.value(layout, four, 1);
                    quants[to + 2 * halves] = (short) BitPlanes.value(layout, four, 2);
                    quants[to + 2 * halves + 1] = (short) BitPlanes.value(layout, four, 3);
                }
            }
        }
    }

    private int position(int half, int pair) {
        return 2 * (pair * halves + half);
    }

    /** Puts 32 inputs of a group, from {@code from} on, where the quants they meet are in a lane. */
    void reorder(byte[] in, int group, short[] out, int to) {
        for (int k = 0; k < GROUP; k++) {
            out[to + position(2 * group + k / HALF, k % HALF / 2) + k % 2] = in[k];
        }
    }

    /** For each half the sum of products of one lane with reordered inputs. */
    void dot(int lane, short[] inputs, int from, int[] sums) {
        Arrays.fill(sums, 0, halves, 0);
        for (int pair = 0; pair < HALF / 2; pair++) {
            int w = lane * halves * HALF + 2 * pair * halves;
            int x = from + 2 * pair * halves;
            for (int h = 0; h < halves; h++) {
                // The form C2 knows: two products of shorts added to an int.
                sums[h] += quants[w + 2 * h] * inputs[x + 2 * h] + quants[w + 2 * h + 1] * inputs[x + 2 * h + 1];
            }
        }
    }
}
