package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import uzu.UzuException;
import uzu.backend.Candidates;
import uzu.backend.Logits;
import uzu.backend.Tally;

/** Logits in native memory, scanned in C. Any thread may hide them, which waits for a scan. */
final class NativeLogits implements Logits {
    // In the tally of kernels.h.
    private static final long COUNTS = 8L * Tally.SIZE;
    private static final long REACHES = COUNTS + 4L * Tally.SIZE;

    private final NativeCalls calls;
    private final long largest;
    private final long tally;
    private final long gather;
    private final long contend;
    private final int width;
    // The row's own floats when they were changed; then tokens and values that a scan found. Pages that no draw needs
    // are never touched.
    private final long changed;
    private final long tokens;
    private final long values;
    private long row;

    private NativeLogits(NativeLibrary library, NativeTwin.Rows twin, Memory memory, int width) {
        calls = library.calls();
        largest = library.function("uzu_k_largest_" + twin.suffix);
        tally = library.function("uzu_k_tally_" + twin.suffix);
        gather = library.function("uzu_k_gather_" + twin.suffix);
        contend = library.function("uzu_k_contend_" + twin.suffix);
        this.width = width;
        long bytes = 4L * Math.max(width, 64);
        changed = memory.allocate(3 * bytes, "scans of the logits");
        tokens = changed + bytes;
        values = tokens + bytes;
    }

    /** Empty where there are no kernels in C. */
    static Optional<NativeLogits> choose(CpuOptions.Kernels wanted, Memory memory, int width) {
        return NativeLibrary.loaded()
                .flatMap(library -> NativeTwin.Rows.choose(wanted, library)
                        .filter(twin -> library.has("uzu_k_largest_" + twin.suffix))
                        .map(twin -> new NativeLogits(library, twin, memory, width)));
    }

    /** From now on these are the logits at {@code address}. */
    synchronized void show(long address) {
        row = address;
    }

    /** There are none until the next {@link #show}. */
    synchronized void hide() {
        row = 0;
    }

    @Override
    public synchronized float get(int token) {
        return Memory.RAW.getFloat(at(token));
    }

    @Override
    public synchronized void set(int token, float logit) {
        if (row() != changed) {
            MemorySegment.copy(Memory.ALL, row, Memory.ALL, changed, 4L * width);
            row = changed;
        }
        Memory.RAW.putFloat(at(token), logit);
    }

    @Override
    public synchronized void restrict(long[] allowed, int count) {
        checked(count);
        long from = row();
        boolean copies = from != changed;
        for (int first = 0; first < count; first += Long.SIZE) {
            long word = first >> 6 < allowed.length ? allowed[first >> 6] : 0;
            int end = Math.min(count, first + Long.SIZE);
            if (copies && word != 0) {
                MemorySegment.copy(Memory.ALL, from + 4L * first, Memory.ALL, changed + 4L * first, 4L * (end - first));
            }
            for (long bits = ~word; bits != 0; bits &= bits - 1) {
                int token = first + Long.numberOfTrailingZeros(bits);
                if (token < end) {
                    Memory.RAW.putFloat(changed + 4L * token, Float.NEGATIVE_INFINITY);
                }
            }
        }
        if (copies && count < width) {
            MemorySegment.copy(Memory.ALL, from + 4L * count, Memory.ALL, changed + 4L * count, 4L * (width - count));
        }
        row = changed;
    }

    @Override
    public synchronized void copy(float[] into) {
        MemorySegment.copy(Memory.ALL, JAVA_FLOAT, row(), into, 0, checked(into.length));
    }

    @Override
    public synchronized int largest(int count) {
        return calls.largest(largest, row(), checked(count));
    }

    @Override
    public synchronized void tally(int count, float shift, float temperature, boolean weigh, Tally into) {
        MemorySegment.copy(into.reaches, 0, Memory.ALL, JAVA_FLOAT, values + REACHES, Tally.SIZE);
        calls.tally(tally, row(), checked(count), shift, temperature, weigh ? 1 : 0, values);
        MemorySegment.copy(Memory.ALL, JAVA_DOUBLE, values, into.weights, 0, Tally.SIZE);
        MemorySegment.copy(Memory.ALL, JAVA_INT, values + COUNTS, into.counts, 0, Tally.SIZE);
    }

    @Override
    public synchronized void gather(
            int count, float shift, float temperature, float least, float below, Candidates into) {
        int size = calls.gather(gather, row(), checked(count), shift, temperature, least, below, tokens, values);
        found(size, into);
    }

    @Override
    public synchronized void contend(
            int count, float shift, float temperature, float least, double best, long key, Candidates into) {
        int size = calls.contend(
                contend, row(), checked(count), shift, temperature, least, (float) best, key, tokens, values);
        found(size, into);
    }

    private void found(int size, Candidates into) {
        into.reserve(size);
        into.size = size;
        MemorySegment.copy(Memory.ALL, JAVA_INT, tokens, into.tokens, 0, size);
        MemorySegment.copy(Memory.ALL, JAVA_FLOAT, values, into.values, 0, size);
    }

    private long row() {
        if (row == 0) {
            throw new UzuException.InvalidState("the logits' pass is over");
        }
        return row;
    }

    private long at(int token) {
        return row() + 4L * Objects.checkIndex(token, width);
    }

    private int checked(int count) {
        return Objects.checkFromIndexSize(0, count, width) + count;
    }
}
