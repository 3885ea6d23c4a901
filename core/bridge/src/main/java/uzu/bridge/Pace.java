package uzu.bridge;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often text that grows is handed over. Who is woken for it takes a core from the model for some 200 to 1,000 µs,
 * as passes over all weights have emptied the caches meanwhile; for each token of a small model that is more than
 * people can see. A token that comes later than the interval after the last chunk is never held up.
 */
final class Pace {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

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

    /** Nanoseconds in which to gather what comes; none or less: it goes out at once. */
    long rest() {
        return due - clock.getAsLong();
    }
}
