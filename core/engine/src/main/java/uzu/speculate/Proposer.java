package uzu.speculate;

import uzu.backend.Executable;

/** A drafter's side of one conversation. */
public interface Proposer extends AutoCloseable {
    /** The conversation goes on after its first {@code length} tokens; what was after them never was. */
    void truncate(int length);

    /** A reply begins: its first token will be the conversation's {@code start}-th, counted from 0. */
    default void reply(int start) {}

    /**
     * Rows of the target's last pass were committed: the tokens of {@code path} from {@code from} on, a row each. The
     * results of that pass can still be read. Not called for tokens whose pass was before this proposer was made.
     */
    default void committed(TokenPath path, int from, int[] rows, Executable target) {}

    /**
     * A draft after {@code path} begins; the drafted tokens' probabilities are those under {@code conditions}. One that
     * was begun may begin anew, and there are tokens after which none begins.
     */
    void begin(TokenPath path, Conditions conditions);

    /**
     * Adds what may follow {@code node} of the draft, best first, each with the chance that the model says it there.
     * Called at most once a node of a draft that began, parents before children.
     */
    void propose(Draft draft, int node, Proposals into);

    @Override
    default void close() {}
}
