package uzu.speculate;

/**
 * Something that guesses what a model will say, loaded once a model and used by the one thread that runs its passes.
 * Wrong guesses cost time, never change the output.
 */
public interface Drafter extends AutoCloseable {
    /** For reports and settings: {@code lookup}, {@code tables}, … */
    String name();

    /** Guesses for one conversation, which has no tokens yet. */
    Proposer proposer();

    /** Seconds that a {@link Proposer#propose} takes, about; 0 when it is nothing against a pass. */
    default double seconds() {
        return 0;
    }

    /** Told whether asking has paid lately: while it hasn't, what only prepares for being asked may be left out. */
    default void expect(boolean pays) {}

    @Override
    default void close() {}
}
