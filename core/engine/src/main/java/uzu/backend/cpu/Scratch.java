package uzu.backend.cpu;

import java.util.ArrayList;
import java.util.List;

/** Buffers that passes reuse, sized by rows and grown when a pass has more than any before. */
final class Scratch {
    /** A buffer; its address changes when the scratch grows, which it does only between passes. */
    static final class Slot {
        private final Size size;
        long address;

        private Slot(Size size) {
            this.size = size;
        }

        /** Where row {@code row} of {@code width} floats begins. */
        long row(int row, int width) {
            return address + 4L * row * width;
        }
    }

    /** Bytes needed for a number of rows. */
    interface Size {
        long bytes(int rows);
    }

    private final Memory memory;
    private final String purpose;
    private final List<Slot> slots = new ArrayList<>();
    private long address;
    private int capacity;

    Scratch(Memory memory, String purpose) {
        this.memory = memory;
        this.purpose = purpose;
    }

    /** To be called before the first {@link #reserve}. */
    Slot slot(Size size) {
        Slot slot = new Slot(size);
        slots.add(slot);
        return slot;
    }

    Slot floats(int width) {
        return slot(rows -> 4L * rows * width);
    }

    /** Has room for {@code rows}; what was there is lost if it had not. */
    void reserve(int rows) {
        if (rows <= capacity) {
            return;
        }
        int wanted = Integer.highestOneBit(2 * rows - 1);
        if (capacity > 0) {
            memory.free(address);
            capacity = 0;
        }
        long total = 0;
        for (Slot slot : slots) {
            total += aligned(slot.size.bytes(wanted));
        }
        address = memory.allocate(Math.max(1, total), purpose);
        long next = address;
        for (Slot slot : slots) {
            slot.address = next;
            next += aligned(slot.size.bytes(wanted));
        }
        capacity = wanted;
    }

    private static long aligned(long bytes) {
        return (bytes + Memory.ALIGNMENT - 1) & -Memory.ALIGNMENT;
    }
}
