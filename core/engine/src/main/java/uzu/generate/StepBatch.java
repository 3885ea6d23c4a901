package uzu.generate;

import java.util.Arrays;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/** The rows of a step, filled anew each time. */
final class StepBatch implements Batch {
    private final int[] tokens;
    private final int[] parents;
    private final Wanted[] wanted;
    private final int choices;
    private final Sequence[] sequences;
    private int size;
    private double reads;

    /** @param choices tokens that may be drawn: ids below it */
    StepBatch(int maxRows, int choices) {
        this.choices = choices;
        tokens = new int[maxRows];
        parents = new int[maxRows];
        wanted = new Wanted[maxRows];
        sequences = new Sequence[maxRows];
    }

    void clear() {
        Arrays.fill(sequences, 0, size, null);
        size = 0;
        reads = 0;
    }

    int free() {
        return tokens.length - size;
    }

    /** Adds a row, the parent's row already there or −1, and returns its number. */
    int add(Sequence sequence, int token, int parent, Wanted wants) {
        tokens[size] = token;
        parents[size] = parent;
        wanted[size] = wants;
        sequences[size] = sequence;
        reads += sequence.length() * (parent < 0 ? 2.0 : 1.0);
        return size++;
    }

    /** The sum of length × (1 + rows) over its sequences: their keys and values are read, and multiplied by each row. */
    double reads() {
        return reads;
    }

    /** Whether something is wanted of each row. */
    boolean wantsAll() {
        for (int row = 0; row < size; row++) {
            if (wanted[row] == Wanted.NOTHING) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int token(int row) {
        return tokens[row];
    }

    @Override
    public Sequence sequence(int row) {
        return sequences[row];
    }

    @Override
    public int parent(int row) {
        return parents[row];
    }

    @Override
    public Wanted wanted(int row) {
        return wanted[row];
    }

    @Override
    public int choices() {
        return choices;
    }
}
