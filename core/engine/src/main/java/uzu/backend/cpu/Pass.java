package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;

/** The batch of the pass that runs, checked and unfolded for the phases. Filled anew for each pass. */
final class Pass {
    private static final float[] NO_INPUTS = {};

    private final KeyValues keyValues;
    private final int vocabulary;
    // Ancestor lists of all rows: at worst row r's has r + 1 entries.
    private final long ancestors;
    private final long[] ancestorsOf;
    private final int[] depth; // of all rows, those that the pass goes on from included
    private final int[] chainEnd;
    private final int[] headRow;
    private final int[] wanted;
    private final boolean[] wantsLogits;

    final int[] token;
    final int[] position;
    final int[] parent;
    final int[] committed;
    final CpuSequence[] sequence;
    float[] inputs = NO_INPUTS;
    private final int inputWidth;
    private KeyValues.@Nullable Pending pending;
    private KeyValues.@Nullable Pending last;
    private long end;
    private int first;
    private int rows;
    private int headRows;
    private boolean wantsOnlyBest;
    private int choices;
    private int blocks;
    private int workers;
    // Sequences with rows to move to their blocks; twice changes nothing.
    private final CpuSequence[] moving;
    private int movers;
    private long number;

    /** @param inputWidth numbers of a row from outside; 0 for none */
    Pass(Memory memory, KeyValues keyValues, int vocabulary, int inputWidth, int maxRows) {
        this.keyValues = keyValues;
        this.vocabulary = vocabulary;
        this.inputWidth = inputWidth;
        ancestors = memory.allocate(4L * maxRows * (maxRows + 1) / 2, "the tree of a pass");
        ancestorsOf = new long[maxRows];
        depth = new int[maxRows];
        chainEnd = new int[maxRows];
        headRow = new int[maxRows];
        wanted = new int[maxRows];
        wantsLogits = new boolean[maxRows];
        token = new int[maxRows];
        position = new int[maxRows];
        parent = new int[maxRows];
        committed = new int[maxRows];
        sequence = new CpuSequence[maxRows];
        moving = new CpuSequence[maxRows];
    }

    /**
     * Takes {@code batch} over, or throws and changes no sequence.
     *
     * @param workers that will run it
     * @param moves whether it moves what was committed before of all layers
     */
    void begin(Batch batch, int workers, boolean moves) {
        this.workers = workers;
        number++;
        int size = batch.size();
        int from = checkedFirst(batch, size);
        first = 0;
        rows = 0;
        inputs = checkedInputs(batch, size);
        for (int row = 0; row < size; row++) {
            token[row] = checkedToken(batch, from + row);
            sequence[row] = checkedSequence(batch, from + row);
            parent[row] = checkedParent(batch, from, row);
        }
        KeyValues.Pending before = from == 0 ? null : last;
        if (before == null) {
            pending = keyValues.pending(size);
            end = ancestors;
        } else {
            keyValues.reserve(before, from, from + size);
            pending = before;
        }
        first = from;
        movers = 0;
        headRows = 0;
        wantsOnlyBest = true;
        choices = batch.choices();
        blocks = 0;
        for (int row = 0; row < size; row++) {
            if (!sequence[row].hasComputed(before)) {
                sequence[row].forget();
            }
            if (sequence[row].isMoving()) {
                addMover(sequence[row], moves);
            }
            committed[row] = sequence[row].length();
            depth[first + row] = parent[row] < 0 ? 0 : depth[parent[row]] + 1;
            position[row] = committed[row] + depth[first + row];
            blocks = Math.max(blocks, position[row] / KeyValueLayout.BLOCK + 1);
            end = appendAncestors(row, end);
            headRow[row] = -1;
            Wanted of = batch.wanted(first + row);
            wantsLogits[row] = of == Wanted.LOGITS;
            wantsOnlyBest &= of != Wanted.LOGITS;
            if (of != Wanted.NOTHING) {
                wanted[headRows] = row;
                headRow[row] = headRows++;
            }
        }
        for (int row = size - 1; row >= 0; row--) {
            chainEnd[row] = row;
        }
        for (int row = size - 1; row >= 0; row--) {
            if (parent[row] >= first) {
                chainEnd[parent[row] - first] = chainEnd[row];
            }
        }
        rows = size;
    }

    /** Ends the pass: its rows may be committed if it was complete, else they are void. */
    void end(boolean complete) {
        KeyValues.Pending computed = pending;
        pending = null;
        inputs = NO_INPUTS;
        if (computed == null) {
            return;
        }
        if (complete) {
            for (int row = 0; row < rows; row++) {
                sequence[row].computed(computed, first + row, parent[row]);
            }
            for (int i = 0; i < movers; i++) {
                moving[i].moved();
            }
            last = computed;
        } else {
            if (first == 0) {
                keyValues.recycle(computed);
            }
            last = null;
            rows = 0;
        }
    }

    private void addMover(CpuSequence added, boolean moves) {
        if (!moves) {
            added.settle();
        } else if (movers == 0 || moving[movers - 1] != added) {
            moving[movers++] = added;
        }
    }

    /** Moves keys or values of a layer's heads that were committed before this pass to where attention reads them. */
    void move(int layer, boolean keys, int firstHead, int lastHead) {
        for (int i = 0; i < movers; i++) {
            moving[i].move(layer, keys, firstHead, lastHead);
        }
    }

    int workers() {
        return workers;
    }

    /** Counts passes. */
    long number() {
        return number;
    }

    int rows() {
        return rows;
    }

    int headRows() {
        return headRows;
    }

    /** Rows that the head, or else the body, computes. */
    int rows(boolean head) {
        return head ? headRows : rows;
    }

    /** The row of the batch that is row {@code index} of the head. */
    int wanted(int index) {
        return wanted[index];
    }

    /** Which row of the head is the parent of its row {@code index}; −1 if nothing is wanted of the parent. */
    int wantedAbove(int index) {
        int above = parent[wanted[index]] - first;
        return above < 0 ? -1 : headRow[above];
    }

    /** The number of row 0: how many rows of earlier passes come before. */
    int first() {
        return first;
    }

    /** Which row of the pass has the number {@code row} in the batch; −1 if there is no such one. */
    int indexOf(int row) {
        return row >= first && row < first + rows ? row - first : -1;
    }

    /** Where row {@code row} of the batch has its results in the head; −1 if they weren't wanted or it isn't there. */
    int headRow(int row) {
        int index = indexOf(row);
        return index < 0 ? -1 : headRow[index];
    }

    /** Whether row {@code index} of the pass has logits for everyone to read. */
    boolean wantsLogits(int index) {
        return wantsLogits[index];
    }

    /** Whether no row wants more than its likeliest token. */
    boolean wantsOnlyBest() {
        return wantsOnlyBest;
    }

    /** As of {@link Batch#choices}. */
    int choices() {
        return choices;
    }

    /** Most blocks of positions that a row sees. */
    int blocks() {
        return blocks;
    }

    KeyValues.Pending pending() {
        KeyValues.Pending current = pending;
        if (current == null) {
            throw new IllegalStateException("no pass runs");
        }
        return current;
    }

    /** Ints: lists of ancestors, of which {@link #ancestors(int)} says where those of a row begin. */
    long ancestors() {
        return ancestors;
    }

    /** The numbers of the rows that row {@code row} sees, from its root down to itself, begin at this int. */
    int ancestors(int row) {
        return (int) (ancestorsOf[first + row] - ancestors >> 2);
    }

    /** The row that {@code row}'s first child in this pass, that one's first child and so on lead to. */
    int chainEnd(int row) {
        return chainEnd[row];
    }

    /** A first child that directly follows its parent's list extends it in place, so a chain is one list. */
    private long appendAncestors(int row, long end) {
        long start = end;
        int inherited = depth[first + row];
        if (inherited > 0) {
            long list = ancestorsOf[parent[row]];
            if (list + 4L * inherited == end) {
                start = list;
            } else {
                MemorySegment.copy(Memory.ALL, list, Memory.ALL, start, 4L * inherited);
            }
        }
        Memory.RAW.putInt(start + 4L * inherited, first + row);
        ancestorsOf[first + row] = start;
        return start + 4L * inherited + 4;
    }

    private int checkedFirst(Batch batch, int size) {
        int from = batch.first();
        if (size < 1 || from < 0 || from + (long) size > token.length) {
            throw new UzuException.InvalidArgument(
                    "a pass takes 1 to " + token.length + " rows, not " + size + (from == 0 ? "" : " after " + from),
                    Map.of("rows", Integer.toString(size)));
        }
        if (from > 0 && (last == null || !last.isShared() || from != first + rows)) {
            throw new UzuException.InvalidState("there are no " + from + " rows that a pass could go on from");
        }
        return from;
    }

    private float[] checkedInputs(Batch batch, int size) {
        float[] given = inputWidth == 0 ? NO_INPUTS : batch.inputs();
        if (given.length < (long) size * inputWidth) {
            throw new UzuException.InvalidArgument(
                    "the program takes " + inputWidth + " numbers a row; " + size + " rows have " + given.length);
        }
        return given;
    }

    private int checkedToken(Batch batch, int row) {
        int value = batch.token(row);
        if (value < 0 || value >= vocabulary) {
            throw invalid(row, "token " + value + " is not in 0.." + (vocabulary - 1));
        }
        return value;
    }

    private CpuSequence checkedSequence(Batch batch, int row) {
        Sequence value = batch.sequence(row);
        if (!(value instanceof CpuSequence ours) || !ours.belongsTo(keyValues)) {
            throw invalid(row, "its sequence is another executable's");
        }
        ours.checkOpen();
        return ours;
    }

    private int checkedParent(Batch batch, int from, int row) {
        int value = batch.parent(from + row);
        if (value < -1 || value >= from + row) {
            throw invalid(from + row, "parent " + value + " is not an earlier row");
        }
        boolean related = value < 0
                || (value < from
                        ? sequence[row].hasComputed(last) && sequence[row].owns(value)
                        : sequence[value - from] == sequence[row]);
        if (!related) {
            throw invalid(
                    from + row, "parent " + value + " is a row of another sequence, or was committed or forgotten");
        }
        return value;
    }

    private static UzuException.InvalidArgument invalid(int row, String reason) {
        return new UzuException.InvalidArgument(
                "row " + row + " of the batch: " + reason, Map.of("row", Integer.toString(row)));
    }
}
