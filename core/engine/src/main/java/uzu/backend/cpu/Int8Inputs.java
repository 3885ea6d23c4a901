package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;
import static uzu.backend.cpu.Memory.ALL;
import static uzu.backend.cpu.PreparedInput.ROWS;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Prepared int8 rows, read back for the scalar kernels: reordered for {@link UnitQuants}, group after group. */
final class Int8Inputs {
    /** Row after row. */
    final short[] q;

    /** Of row n and group g at n · groups + g. */
    final float[] d;

    final float[] dSum;
    /** Σ q of the halves of a group, of row n and half h at n · 2 · groups + h. */
    final int[] qSum;

    /** Rows {@code first} to {@code first + rows}, numbered from 0 here. */
    Int8Inputs(UnitQuants order, int columns, int first, int rows, long prepared) {
        int groups = columns / GROUP;
        q = new short[rows * columns];
        d = new float[rows * groups];
        dSum = new float[rows * groups];
        qSum = new int[rows * groups * 2];
        byte[] bytes = new byte[GROUP];
        for (int row = 0; row < rows; row++) {
            long block = prepared + (first + row) / ROWS * PreparedInput.blockBytes(columns, false);
            int r = (first + row) % ROWS;
            for (int group = 0; group < groups; group++) {
                long at = block + (long) group * PreparedInput.GROUP_BYTES;
                MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, at + r * (long) GROUP, bytes, 0, GROUP);
                order.reorder(bytes, group, q, row * columns);
                int i = row * groups + group;
                d[i] = ALL.get(ValueLayout.JAVA_FLOAT, at + PreparedInput.SCALES + 4L * r);
                dSum[i] = ALL.get(ValueLayout.JAVA_FLOAT, at + PreparedInput.SUMS + 4L * r);
                qSum[2 * i] = sum(at + PreparedInput.HALVES + 4L * r);
                qSum[2 * i + 1] = sum(at + PreparedInput.HALVES + 4L * (ROWS + r));
            }
        }
    }

    private static int sum(long pair) {
        return ALL.get(ValueLayout.JAVA_SHORT, pair) + ALL.get(ValueLayout.JAVA_SHORT, pair + 2);
    }
}
