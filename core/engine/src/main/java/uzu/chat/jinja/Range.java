package uzu.chat.jinja;

import java.util.AbstractList;

/** {@code range(start, stop, step)}. */
final class Range extends AbstractList<Object> {
    private final long start;
    private final long stop;
    private final long step;
    private final int size;

    Range(long start, long stop, long step, int size) {
        this.start = start;
        this.stop = stop;
        this.step = step;
        this.size = size;
    }

    /** How many numbers there are, however far apart the bounds. */
    static long size(long start, long stop, long step) {
        if (step > 0 ? start >= stop : start <= stop) {
            return 0;
        }
        // As unsigned numbers: the distance of two longs may exceed a long.
        long distance = step > 0 ? stop - start : start - stop;
        long stride = step > 0 ? step : -step;
        return Long.divideUnsigned(distance - 1, stride) + 1;
    }

    @Override
    public Object get(int index) {
        return start + index * step;
    }

    @Override
    public int size() {
        return size;
    }

    String representation() {
        return "range(" + start + ", " + stop + (step == 1 ? "" : ", " + step) + ")";
    }
}
