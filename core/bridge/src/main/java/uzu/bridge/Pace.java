package uzu.bridge;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often text that grows is handed over. Who is woken for it takes a core from the model for some 200 to 1,000 µs,
 * as passes over all weights have emptied the caches meanwhile; for each token of a small model that is more than
 * people can see. A token that comes later than the interval after the last chunk is never held up, and it is what
 * wakes the reader: between two passes, when all workers but one have nothing to do. A clock would stop one in the
 * midst of its part, and the others would wait for it.
 */
final class Pace {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Where chunks are further apart, nothing would gather: who waits is woken by the next token, and by no clock. */
    private static final long SLOW_NANOS = 2 * INTERVAL_NANOS;

    private final LongSupplier clock;
    private volatile long due;
    private long last;

    Pace() {
        this(System::nanoTime);
    }

    /** @param clock nanoseconds */
    Pace(LongSupplier clock) {
        this.clock = clock;
        due = clock.getAsLong();
        last = due - SLOW_NANOS;
    }

    /** Something was handed over. By one thread at a time. */
    void handedOver() {
        long now = clock.getAsLong();
        boolean isFast = now - last < SLOW_NANOS;
        last = now;
        due = isFast ? now + INTERVAL_NANOS : now;
    }

    /** Whether what comes now goes out at once. */
    boolean isDue() {
        return due - clock.getAsLong() <= 0;
    }

    /** Nanoseconds after which what has gathered goes out, though no token came that was due. */
    long longestRest() {
        return due + INTERVAL_NANOS - clock.getAsLong();
    }
}
