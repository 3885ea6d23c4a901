package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Batch;
import uzu.backend.Sequence;

/** The batch of the pass that runs, checked and unfolded for the phases. Filled anew for each pass. */
final class Pass {
    private final KeyValues keyValues;
    private final int vocabulary;
    // Ancestor lists of all rows: at worst row r's has r + 1 entries.
    private final long ancestors;
    private final long[] ancestorsOf;
    private final int[] depth;
    private final int[] chainEnd;
    private final int[] headRow;
    private final int[] wanted;

    final int[] token;
    final int[] position;
    final int[] parent;
    final int[] committed;
    final CpuSequence[] sequence;
    private KeyValues.@Nullable Pending pending;
    private int rows;
    private int headRows;
    private int blocks;

    Pass(Memory memory, KeyValues keyValues, int vocabulary, int maxRows) {
        this.keyValues = keyValues;
        this.vocabulary = vocabulary;
        ancestors = memory.allocate(4L * maxRows * (maxRows + 1) / 2, "the tree of a pass");
        ancestorsOf = new long[maxRows];
        depth = new int[maxRows];
        chainEnd = new int[maxRows];
        headRow = new int[maxRows];
        wanted = new int[maxRows];
        token = new int[maxRows];
        position = new int[maxRows];
        parent = new int[maxRows];
        committed = new int[maxRows];
        sequence = new CpuSequence[maxRows];
    }

    /** Takes {@code batch} over, or throws and changes no sequence. */
    void begin(Batch batch) {
        rows = 0;
        int size = batch.size();
        if (size < 1 || size > token.length) {
            throw new UzuException.InvalidArgument(
                    "a pass takes 1 to " + token.length + " rows, not " + size, Map.of("rows", Integer.toString(size)));
        }
        for (int row = 0; row < size; row++) {
            token[row] = checkedToken(batch, row);
            sequence[row] = checkedSequence(batch, row);
            parent[row] = checkedParent(batch, row);
        }
        pending = keyValues.pending(size);
        headRows = 0;
        blocks = 0;
        long end = ancestors;
        for (int row = 0; row < size; row++) {
            sequence[row].forget();
            committed[row] = sequence[row].length();
            depth[row] = parent[row] < 0 ? 0 : depth[parent[row]] + 1;
            position[row] = committed[row] + depth[row];
            blocks = Math.max(blocks, position[row] / KeyValueLayout.BLOCK + 1);
            end = appendAncestors(row, end);
            headRow[row] = -1;
            if (batch.wantsLogits(row)) {
                wanted[headRows] = row;
                headRow[row] = headRows++;
            }
        }
        for (int row = size - 1; row >= 0; row--) {
            chainEnd[row] = row;
        }
        for (int row = size - 1; row >= 0; row--) {
            if (parent[row] >= 0) {
                chainEnd[parent[row]] = chainEnd[row];
            }
        }
        rows = size;
    }

    /** Ends the pass: its rows may be committed if it was complete, else they are void. */
    void end(boolean complete) {
        KeyValues.Pending computed = pending;
        pending = null;
        if (computed == null) {
            return;
        }
        if (complete) {
            for (int row = 0; row < rows; row++) {
                sequence[row].computed(computed, row, parent[row]);
            }
        } else {
            keyValues.recycle(computed);
            rows = 0;
        }
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

    /** Where row {@code row}'s results are in the head; −1 if they were not wanted or there is no such row. */
    int headRow(int row) {
        return row >= 0 && row < rows ? headRow[row] : -1;
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

    /** The rows that row {@code row} sees in this batch, from its root down to itself, begin at this int. */
    int ancestors(int row) {
        return (int) (ancestorsOf[row] - ancestors >> 2);
    }

    /** The row that {@code row}'s first child, that one's first child and so on lead to. */
    int chainEnd(int row) {
        return chainEnd[row];
    }

    /** A first child that directly follows its parent's list extends it in place, so a chain is one list. */
    private long appendAncestors(int row, long end) {
        long start = end;
        int inherited = depth[row];
        if (inherited > 0) {
            long list = ancestorsOf[parent[row]];
            if (list + 4L * inherited == end) {
                start = list;
            } else {
                MemorySegment.copy(Memory.ALL, list, Memory.ALL, start, 4L * inherited);
            }
        }
        Memory.ALL.set(JAVA_INT, start + 4L * inherited, row);
        ancestorsOf[row] = start;
        return start + 4L * inherited + 4;
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

    private int checkedParent(Batch batch, int row) {
        int value = batch.parent(row);
        if (value < -1 || value >= row) {
            throw invalid(row, "parent " + value + " is not an earlier row");
        }
        if (value >= 0 && sequence[value] != sequence[row]) {
            throw invalid(row, "parent " + value + " is a row of another sequence");
        }
        return value;
    }

    private static UzuException.InvalidArgument invalid(int row, String reason) {
        return new UzuException.InvalidArgument(
                "row " + row + " of the batch: " + reason, Map.of("row", Integer.toString(row)));
    }
}
