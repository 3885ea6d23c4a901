package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.GROUP;

/**
 * Where prepared inputs lie. Rows go by blocks of 4, so that tiles of rows read one stream and workers can prepare rows
 * apart; rows beyond the last leave holes that nothing reads. Per block and group of 32 columns, 208 bytes for int8:
 * <pre>
 *   0  int8 q[4 rows][32]
 * 128  float d[4]
 * 144  float d·qsum[4]
 * 160  int16 pairs[4 rows][2]: sums of q where k%4 is 0 or 1, and where it is 2 or 3
 * 176  int16 halves[2][4 rows][2]: the same of the first 16 columns, and of the second
 * </pre>
 * For floats, 4 values (one a row) for each column.
 */
final class PreparedInput {
    static final int ROWS = 4;
    static final int GROUP_BYTES = 208;
    static final int SCALES = 128;
    static final int SUMS = 144;
    static final int PAIRS = 160;
    static final int HALVES = 176;

    private PreparedInput() {}

    /** Enough for either kind. */
    static long bytes(int columns, int rows) {
        long blocks = (rows + ROWS - 1L) / ROWS;
        return blocks * MatrixLayout.groups(columns) * GROUP * ROWS * Float.BYTES;
    }

    static long blockBytes(int columns, boolean floats) {
        return floats ? (long) columns * ROWS * Float.BYTES : (long) MatrixLayout.groups(columns) * GROUP_BYTES;
    }
}
