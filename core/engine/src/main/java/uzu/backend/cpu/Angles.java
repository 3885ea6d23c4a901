package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import uzu.backend.Rope;
import uzu.backend.cpu.Scratch.Slot;

/**
 * Cosines, then sines of a row's angles. Those of the last positions are kept, since a pass after a draft has many of
 * them again and {@link StrictMath} takes half a microsecond for one.
 */
final class Angles implements RowStep {
    private static final int KEPT = 1024;

    /** A quarter of a turn, what it lacks of π / 2, and quarters of a radian. */
    private static final double QUARTER = Math.PI / 2;

    private static final double QUARTER_LOW = 6.123233995736766e-17;
    private static final double QUARTERS = 2 / Math.PI;

    private final Rope rope;
    private final Slot table;
    private final int width;
    // Position p's at p % KEPT, if it is the one that is kept there.
    private final int[] positions = new int[KEPT];
    private final float[] kept;

    /** @param table {@code 2 · frequencies} floats a row */
    Angles(Rope rope, Slot table) {
        this.rope = rope;
        this.table = table;
        width = 2 * rope.frequencies().length;
        kept = new float[KEPT * width];
        Arrays.fill(positions, -1);
    }

    @Override
    public void run(Pass pass, int from, int to) {
        for (int row = from; row < to; row++) {
            int position = pass.position[row];
            long at = table.row(row, width);
            if (!isKept(position, at)) {
                compute(position, at);
                keep(position, at);
            }
        }
    }

    /** Whether the angles of {@code position} were kept and are now at {@code to}. */
    private synchronized boolean isKept(int position, long to) {
        int place = position % KEPT;
        if (positions[place] != position) {
            return false;
        }
        MemorySegment.copy(kept, place * width, Memory.ALL, JAVA_FLOAT, to, width);
        return true;
    }

    private synchronized void keep(int position, long from) {
        int place = position % KEPT;
        MemorySegment.copy(Memory.ALL, JAVA_FLOAT, from, kept, place * width, width);
        positions[place] = position;
    }

    private void compute(int position, long cosines) {
        float[] frequencies = rope.frequencies();
        long sines = cosines + 4L * frequencies.length;
        for (int i = 0; i < frequencies.length; i++) {
            double angle = (float) (position + rope.shift()) * frequencies[i];
            // Brought to an eighth of a turn here: StrictMath would allocate to do so.
            double quarters = Math.rint(angle * QUARTERS);
            double rest = Math.fma(-quarters, QUARTER_LOW, Math.fma(-quarters, QUARTER, angle));
            double cos = StrictMath.cos(rest);
            double sin = StrictMath.sin(rest);
            boolean isOdd = ((long) quarters & 1) != 0;
            boolean isLate = ((long) quarters & 2) != 0;
            float cosine = (float) (isOdd == isLate ? (isOdd ? sin : cos) : (isOdd ? -sin : -cos)) * rope.magnitude();
            float sine = (float) (isLate ? (isOdd ? -cos : -sin) : (isOdd ? cos : sin)) * rope.magnitude();
            Memory.RAW.putFloat(cosines + 4L * i, cosine);
            Memory.RAW.putFloat(sines + 4L * i, sine);
        }
    }
}
