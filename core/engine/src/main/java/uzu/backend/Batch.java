package uzu.backend;

/**
 * The rows of one pass: tokens of one or several sequences, each with its parent, a parent before its children. Depth-first
 * order is the fastest. A row's position is the committed length of its sequence plus its depth.
 */
public interface Batch {
    /** Rows of this pass, numbered from {@link #first} on. */
    int size();

    /**
     * 0, or how many rows the last pass and those that it went on from have together: this one goes on from them. They
     * may be parents of its rows, and be committed with them, as long as their sequences haven't changed since; only
     * their results are gone.
     */
    default int first() {
        return 0;
    }

    int token(int row);

    Sequence sequence(int row);

    /** The parent's row, or −1: the last committed token of the sequence. */
    int parent(int row);

    /** What is wanted of the row's logits. */
    Wanted wanted(int row);

    /** Only tokens below this number are {@link Wanted#BEST}. */
    default int choices() {
        return Integer.MAX_VALUE;
    }

    /** What {@link Op.Input} reads, row after row. */
    default float[] inputs() {
        return new float[0];
    }
}
