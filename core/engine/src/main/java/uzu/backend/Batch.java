package uzu.backend;

/**
 * The rows of one pass: tokens of one or several sequences, each with its parent. Rows come in depth-first order, a
 * parent before its children. A row's position is the committed length of its sequence plus its depth.
 */
public interface Batch {
    int size();

    int token(int row);

    Sequence sequence(int row);

    /** The parent's row in this batch, or −1: the last committed token of the sequence. */
    int parent(int row);

    boolean wantsLogits(int row);
}
