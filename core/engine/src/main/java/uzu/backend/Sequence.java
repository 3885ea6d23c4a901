package uzu.backend;

/**
 * The committed state of one sequence: keys and values of its tokens, in reference-counted blocks of 256 positions. A
 * pass changes nothing here; {@link #commit} does. Used by the one thread that runs the passes.
 */
public interface Sequence extends AutoCloseable {
    /** Committed tokens. */
    int length();

    /**
     * Appends rows of the last pass that computed this sequence: a path from a root row, each the child of the one
     * before. Rows not named are forgotten. Without a call, all are.
     *
     * @throws uzu.UzuException.OutOfMemory when no block can be had; nothing is committed then
     */
    void commit(int[] path);

    /** Keeps only the first {@code length} tokens. */
    void truncate(int length);

    /** A second sequence with the same committed tokens, sharing their blocks. */
    Sequence fork();

    @Override
    void close();
}
