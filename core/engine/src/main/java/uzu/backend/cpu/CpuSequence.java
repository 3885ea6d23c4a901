package uzu.backend.cpu;

import static uzu.backend.cpu.KeyValueLayout.BLOCK;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Sequence;

/** A sequence's blocks, and which rows of which pass it may commit. */
final class CpuSequence implements Sequence {
    private final KeyValues keyValues;
    private final List<KeyValues.Block> blocks = new ArrayList<>();
    private int length;
    private boolean closed;

    // Of the last pass that computed this sequence, until it is committed or forgotten: parents[row] is the row's
    // parent, −1 for a root, NOT_OURS for rows of other sequences.
    private KeyValues.@Nullable Pending pending;
    private int[] parents = {};

    private static final int NOT_OURS = -2;

    CpuSequence(KeyValues keyValues) {
        this.keyValues = keyValues;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void commit(int[] path) {
        checkOpen();
        if (path.length == 0) {
            forget();
            return;
        }
        KeyValues.Pending source = pending;
        if (source == null) {
            throw new UzuException.InvalidState("no pass has computed rows of this sequence since its last change");
        }
        checkPath(path);
        reserve(length + path.length);
        KeyValueLayout layout = keyValues.layout();
        for (int done = 0; done < path.length; ) {
            int position = length + done;
            int count = Math.min(run(path, done), BLOCK - position % BLOCK);
            long block = blocks.get(position / BLOCK).address;
            layout.commit(source.address, source.capacity, path[done], block, position % BLOCK, count);
            done += count;
        }
        length += path.length;
        forget();
    }

    @Override
    public void truncate(int length) {
        checkOpen();
        if (length < 0 || length > this.length) {
            throw new UzuException.InvalidArgument(
                    "a sequence of " + this.length + " tokens can't be cut to " + length,
                    Map.of("length", Integer.toString(length)));
        }
        forget();
        this.length = length;
        while (blocks.size() > blocksOf(length)) {
            keyValues.release(blocks.removeLast());
        }
    }

    @Override
    public CpuSequence fork() {
        checkOpen();
        CpuSequence copy = new CpuSequence(keyValues);
        for (KeyValues.Block block : blocks) {
            copy.blocks.add(block.share());
        }
        copy.length = length;
        return copy;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        forget();
        blocks.forEach(keyValues::release);
        blocks.clear();
    }

    void checkOpen() {
        if (closed) {
            throw new UzuException.Closed("the sequence is closed");
        }
        keyValues.checkOpen();
    }

    boolean belongsTo(KeyValues other) {
        return keyValues == other;
    }

    /** Where the committed keys and values of block {@code index} lie. */
    long block(int index) {
        return blocks.get(index).address;
    }

    /** Before a pass that computes this sequence: the rows of an earlier one can't be committed any more. */
    void forget() {
        if (pending != null) {
            keyValues.release(pending);
            pending = null;
        }
    }

    /** Whether its rows that may be committed lie in {@code computed}. */
    boolean hasComputed(KeyValues.@Nullable Pending computed) {
        return pending != null && pending == computed;
    }

    /** Whether row {@code row} of {@link #hasComputed} is this sequence's. */
    boolean owns(int row) {
        return row < parents.length && parents[row] != NOT_OURS;
    }

    /** After a pass: row r, child of {@code parent}, is this sequence's. All rows of a pass are told in order. */
    void computed(KeyValues.Pending computed, int row, int parent) {
        if (pending != computed) {
            forget();
            computed.share();
            pending = computed;
            Arrays.fill(parents, NOT_OURS);
        }
        if (parents.length < computed.capacity) {
            int before = parents.length;
            parents = Arrays.copyOf(parents, computed.capacity);
            Arrays.fill(parents, before, parents.length, NOT_OURS);
        }
        parents[row] = parent;
    }

    private void checkPath(int[] path) {
        int parent = -1;
        for (int row : path) {
            boolean ours = row >= 0 && row < parents.length && parents[row] != NOT_OURS;
            if (!ours || parents[row] != parent) {
                String reason = ours ? " is no child of row " + parent : " isn't a row of this sequence";
                throw new UzuException.InvalidArgument(
                        "the path " + Arrays.toString(path) + " can't be committed: row " + row + reason,
                        Map.of("row", Integer.toString(row)));
            }
            parent = row;
        }
    }

    /** Has room for {@code total} tokens, the last partial block this sequence's own; or throws and changes nothing. */
    private void reserve(int total) {
        List<KeyValues.Block> added = new ArrayList<>();
        int filled = length % BLOCK;
        boolean copies = filled > 0 && blocks.getLast().isShared();
        try {
            for (int missing = blocksOf(total) - blocks.size() + (copies ? 1 : 0); missing > 0; missing--) {
                added.add(keyValues.newBlock());
            }
        } catch (UzuException.OutOfMemory none) {
            added.forEach(keyValues::release);
            throw none;
        }
        if (copies) {
            KeyValues.Block own = added.removeFirst();
            KeyValues.Block shared = blocks.removeLast();
            keyValues.layout().copy(shared.address, own.address, filled);
            keyValues.release(shared);
            blocks.add(own);
        }
        blocks.addAll(added);
    }

    /** How many rows of {@code path} from {@code start} on follow one another in the pass. */
    private static int run(int[] path, int start) {
        int end = start + 1;
        while (end < path.length && path[end] == path[end - 1] + 1) {
            end++;
        }
        return end - start;
    }

    private static int blocksOf(int length) {
        return (length + BLOCK - 1) / BLOCK;
    }
}
