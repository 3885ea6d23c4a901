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

    // Rows that were committed as the last movingCount positions, and don't lie in the blocks yet: the next pass moves
    // each layer's when it comes to it, with all its workers, and finds them in the cache then.
    private KeyValues.@Nullable Pending moving;
    private int[] movingRows = new int[16];
    private int movingCount;

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
        settle();
        reserve(length + path.length);
        if (movingRows.length < path.length) {
            movingRows = new int[path.length];
        }
        System.arraycopy(path, 0, movingRows, 0, path.length);
        movingCount = path.length;
        length += path.length;
        pending = null;
        source.keepForMove();
        moving = source;
    }

    boolean isMoving() {
        return moving != null;
    }

    /** Moves what was committed of a layer's heads to its place: keys or values. Doing it again changes nothing. */
    void move(int layer, boolean keys, int firstHead, int lastHead) {
        KeyValues.Pending source = moving;
        if (source == null) {
            return;
        }
        KeyValueLayout layout = keyValues.layout();
        int start = length - movingCount;
        for (int done = 0; done < movingCount; ) {
            int position = start + done;
            int count = Math.min(run(done), BLOCK - position % BLOCK);
            long block = blocks.get(position / BLOCK).address;
            int at = position % BLOCK;
            for (int head = firstHead; head < lastHead; head++) {
                if (keys) {
                    layout.commitKeys(layer, head, source.address, source.capacity, movingRows[done], block, at, count);
                } else {
                    layout.commitValues(
                            layer, head, source.address, source.capacity, movingRows[done], block, at, count);
                }
            }
            done += count;
        }
    }

    /** All layers were moved. */
    void moved() {
        if (moving != null) {
            keyValues.releaseMoved(moving);
            moving = null;
        }
    }

    /** Moves all that was committed to its place. */
    void settle() {
        if (moving != null) {
            for (int layer = 0; layer < keyValues.layout().layers().size(); layer++) {
                int heads = keyValues.layout().layer(layer).kvHeads();
                move(layer, true, 0, heads);
                move(layer, false, 0, heads);
            }
            moved();
        }
    }

    @Override
    public void truncate(int length) {
        checkOpen();
        if (length < 0 || length > this.length) {
            throw new UzuException.InvalidArgument(
                    "a sequence of " + this.length + " tokens can't be cut to " + length,
                    Map.of("length", Integer.toString(length)));
        }
        settle();
        forget();
        this.length = length;
        while (blocks.size() > blocksOf(length)) {
            keyValues.release(blocks.removeLast());
        }
    }

    @Override
    public CpuSequence fork() {
        checkOpen();
        settle();
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
        moved();
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
        int filled = length % BLOCK;
        boolean copies = filled > 0 && blocks.getLast().isShared();
        int missing = blocksOf(total) - blocks.size() + (copies ? 1 : 0);
        if (missing <= 0) {
            return;
        }
        List<KeyValues.Block> added = new ArrayList<>();
        try {
            for (; missing > 0; missing--) {
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

    /** How many of the rows to move, from {@code start} on, follow one another in the pass. */
    private int run(int start) {
        int end = start + 1;
        while (end < movingCount && movingRows[end] == movingRows[end - 1] + 1) {
            end++;
        }
        return end - start;
    }

    private static int blocksOf(int length) {
        return (length + BLOCK - 1) / BLOCK;
    }
}
