package uzu.backend.cpu;

import static uzu.backend.cpu.MatrixLayout.LANES;

/** The specification, and what runs where C has no twin. */
final class ScalarLogitScan implements LogitScan {
    @Override
    public int largest(long x, int count) {
        float most = Float.NEGATIVE_INFINITY;
        int best = 0;
        for (int i = 0; i < count; i++) {
            float value = Memory.RAW.getFloat(x + 4L * i);
            if (Float.isNaN(value)) {
                return -1;
            }
            if (value > most) {
                most = value;
                best = i;
            }
        }
        return best;
    }

    @Override
    public void contenders(long x, long radii, int count, float reach, float least, long units) {
        for (int i = 0; i < count; i++) {
            float most = Math.fma(Memory.RAW.getFloat(radii + 4L * i), reach, Memory.RAW.getFloat(x + 4L * i));
            if (!(most < least)) {
                Memory.RAW.putInt(units + 4L * (i / LANES), 1);
            }
        }
    }
}
