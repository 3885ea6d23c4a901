package uzu.backend;

/** Values at some taps of a program, of each row of the last pass. For the thread that runs the passes. */
public interface Features extends AutoCloseable {
    /** Numbers of a row. */
    int width();

    /**
     * Copies a row's numbers.
     *
     * @param row of the last pass; one whose logits were wanted, where a tap is in the program's head
     * @param into takes {@link #width} numbers from {@code offset} on
     * @throws uzu.UzuException.InvalidState when no pass has run to its end since these were asked for
     */
    void copy(int row, float[] into, int offset);

    /** Passes keep them no longer. */
    @Override
    void close();
}
