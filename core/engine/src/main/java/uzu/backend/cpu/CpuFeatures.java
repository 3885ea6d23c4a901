package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import uzu.UzuException;
import uzu.backend.Features;
import uzu.backend.Op;
import uzu.backend.Program;

/** Where passes leave the values of some taps: a row of all of them for each row of the batch. */
final class CpuFeatures implements Features {
    private final CpuExecutable owner;
    private final Memory memory;
    private final List<String> taps;
    private final int[] columns;
    private final int width;
    private final boolean head;
    private long address;
    private int capacity;
    /** Whether the last pass left its values here. */
    private boolean filled;

    CpuFeatures(CpuExecutable owner, Memory memory, Program program, List<String> taps) {
        this.owner = owner;
        this.memory = memory;
        this.taps = List.copyOf(taps);
        columns = new int[taps.size()];
        int end = 0;
        boolean inHead = false;
        for (int i = 0; i < columns.length; i++) {
            columns[i] = end;
            int width = width(program.body(), taps.get(i));
            if (width == 0) {
                width = width(program.head(), taps.get(i));
                inHead = true;
            }
            if (width == 0) {
                throw new UzuException.InvalidArgument(
                        "the program has no tap " + taps.get(i), Map.of("tap", taps.get(i)));
            }
            end += width;
        }
        width = end;
        head = inHead;
    }

    private static int width(List<Op> ops, String tap) {
        for (Op op : ops) {
            if (op instanceof Op.Tap found && found.name().equals(tap)) {
                return found.in().width();
            }
        }
        return 0;
    }

    @Override
    public int width() {
        return width;
    }

    /** The column from which on the tap's values lie; −1 if it isn't kept here. */
    int column(String tap) {
        int at = taps.indexOf(tap);
        return at < 0 ? -1 : columns[at];
    }

    /** Before a pass of so many rows. */
    void reserve(int rows) {
        filled = false;
        if (rows > capacity) {
            int wanted = Integer.highestOneBit(2 * rows - 1);
            release();
            address = memory.allocate(4L * wanted * width, "features of a pass");
            capacity = wanted;
        }
    }

    void filled() {
        filled = true;
    }

    /** Where row {@code row}'s values from {@code column} on belong. */
    long at(int row, int column) {
        return address + 4L * ((long) row * width + column);
    }

    @Override
    public void copy(int row, float[] into, int offset) {
        synchronized (owner) {
            int at = owner.resultRow(row, head);
            if (!filled) {
                throw new UzuException.InvalidState("no pass has run to its end since these features were asked for");
            }
            MemorySegment.copy(Memory.ALL, JAVA_FLOAT, at(at, 0), into, offset, width);
        }
    }

    void release() {
        if (capacity > 0) {
            memory.free(address);
            capacity = 0;
        }
        filled = false;
    }

    @Override
    public void close() {
        owner.forget(this);
    }
}
