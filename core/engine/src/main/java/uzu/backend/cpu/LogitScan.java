package uzu.backend.cpu;

/** Scans over logits in native memory, for {@link ScreenedReadout}. */
interface LogitScan {
    /** The index of the largest of {@code count} floats at {@code x}, the lowest of several; −1 when one isn't a number. */
    int largest(long x, int count);

    /**
     * Marks units of {@link MatrixLayout#LANES} outputs that may have a logit of {@code least} or more: those with an
     * output for which fma(radii[i], reach, x[i]) isn't less.
     *
     * @param count outputs from {@code x} on, the first of a unit
     * @param units an int for each unit, set to 1 or left as it is
     */
    void contenders(long x, long radii, int count, float reach, float least, long units);
}
