package uzu.backend.cpu;

import java.util.ArrayList;
import java.util.List;
import uzu.UzuException;

/**
 * Keys and values of all sequences of an executable: blocks of {@link KeyValueLayout#BLOCK} committed positions, and
 * buffers of what passes computed. Both are counted by the sequences that refer to them.
 */
final class KeyValues {
    /** Committed positions, shared by forks; written only while one sequence refers to it. */
    static final class Block {
        final long address;
        private int references = 1;

        private Block(long address) {
            this.address = address;
        }

        boolean isShared() {
            return references > 1;
        }

        Block share() {
            references++;
            return this;
        }
    }

    /**
     * What one pass computed, a position a row; kept until each of its sequences has forgotten its rows, or committed them
     * and moved them to its blocks.
     */
    static final class Pending {
        long address;
        int capacity;
        private int references;
        private int moves;

        private Pending(long address, int capacity) {
            this.address = address;
            this.capacity = capacity;
        }

        void share() {
            references++;
        }

        boolean isShared() {
            return references > 0;
        }

        /** One who shared it has committed, and only moves his rows. */
        void keepForMove() {
            references--;
            moves++;
        }
    }

    private static final int SMALLEST_PENDING = 16;

    private final Memory memory;
    private final KeyValueLayout layout;
    private final List<Pending> idle = new ArrayList<>();
    private boolean closed;

    KeyValues(Memory memory, KeyValueLayout layout) {
        this.memory = memory;
        this.layout = layout;
    }

    KeyValueLayout layout() {
        return layout;
    }

    void checkOpen() {
        if (closed) {
            throw new UzuException.Closed("the executable of this sequence is closed");
        }
    }

    Block newBlock() {
        return new Block(memory.allocate(layout.bufferBytes(KeyValueLayout.BLOCK), "a block of keys and values"));
    }

    void release(Block block) {
        block.references--;
        if (block.references == 0 && !closed) {
            memory.free(block.address);
        }
    }

    /** A buffer for {@code rows} rows, referred to by nobody yet; idle ones are used again. */
    Pending pending(int rows) {
        int capacity = capacity(rows);
        for (int i = 0; i < idle.size(); i++) {
            if (idle.get(i).capacity == capacity) {
                return idle.remove(i);
            }
        }
        long address = memory.allocate(layout.bufferBytes(capacity), "keys and values of a pass");
        return new Pending(address, capacity);
    }

    /** Has room for {@code rows} rows; the first {@code kept} stay. */
    void reserve(Pending pending, int kept, int rows) {
        if (rows <= pending.capacity) {
            return;
        }
        Pending larger = pending(rows);
        layout.move(pending.address, pending.capacity, larger.address, larger.capacity, kept);
        long address = pending.address;
        int capacity = pending.capacity;
        pending.address = larger.address;
        pending.capacity = larger.capacity;
        recycle(new Pending(address, capacity));
    }

    private static int capacity(int rows) {
        int capacity = SMALLEST_PENDING;
        while (capacity < rows) {
            capacity *= 2;
        }
        return capacity;
    }

    /** For one that was never shared: a pass that failed. */
    void recycle(Pending pending) {
        idle.add(pending);
    }

    void release(Pending pending) {
        pending.references--;
        recycleUnused(pending);
    }

    void releaseMoved(Pending pending) {
        pending.moves--;
        recycleUnused(pending);
    }

    private void recycleUnused(Pending pending) {
        if (pending.references == 0 && pending.moves == 0 && !closed) {
            recycle(pending);
        }
    }

    /** The memory itself goes with the executable's. */
    void close() {
        closed = true;
        idle.clear();
    }
}
