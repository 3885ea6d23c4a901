package uzu.speculate;

/** What is known of the tokens that a path below a block has, which the block itself doesn't know. */
interface Paths extends AutoCloseable {
    Paths NONE = (draft, node, candidates, factors) -> false;

    default void truncate(int length) {}

    /** Rows of the target's last pass were committed. */
    default void committed(int[] rows) {}

    default void begin(TokenPath path, Conditions conditions) {}

    /**
     * How many times as likely each candidate is after {@code node} as the block says.
     *
     * @param factors filled for the candidates
     * @return whether anything is known
     */
    boolean weigh(Draft draft, int node, BlockCandidates candidates, double[] factors);

    @Override
    default void close() {}
}
