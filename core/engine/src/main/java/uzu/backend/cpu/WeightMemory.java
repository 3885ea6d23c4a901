package uzu.backend.cpu;

/**
 * Room for weights, which are freed all together: most are smaller than a huge page, so they share pieces that are not.
 * Used by one thread at a time.
 */
final class WeightMemory implements AutoCloseable {
    // What the last piece doesn't use is never touched, so it costs addresses only.
    private static final long PIECE = 32L << 20;

    private final Memory memory = new Memory();
    private long next;
    private long left;

    /** The address of {@code bytes} zeroed bytes, aligned to {@link Memory#ALIGNMENT}. */
    long allocate(long bytes, String purpose) {
        long whole = (bytes + Memory.ALIGNMENT - 1) & -Memory.ALIGNMENT;
        if (whole > PIECE / 2 || bytes <= 0) {
            return memory.allocate(bytes, purpose);
        }
        if (whole > left) {
            next = memory.allocate(PIECE, purpose);
            left = PIECE;
        }
        long address = next;
        next += whole;
        left -= whole;
        return address;
    }

    @Override
    public void close() {
        memory.close();
    }
}
