package uzu.bridge;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ResultStream;
import uzu.UzuException;

/** A stream of results as JSON deltas, read by whichever thread asks, one at a time. */
final class JsonStream<T> {
    private final ResultStream<T> source;
    private final @Nullable CancelToken cancel;
    private final Function<T, String> encode;
    private final ReentrantLock reading = new ReentrantLock();
    private final Pace pace;
    private boolean ended;
    private volatile boolean queued;
    private volatile boolean closed;

    /** @param cancel null for a source that closing cancels */
    JsonStream(ResultStream<T> source, @Nullable CancelToken cancel, Function<T, String> encode) {
        this(source, cancel, encode, new Pace());
    }

    JsonStream(ResultStream<T> source, @Nullable CancelToken cancel, Function<T, String> encode, Pace pace) {
        this.source = source;
        this.cancel = cancel;
        this.encode = encode;
        this.pace = pace;
    }

    /** @param timeoutMillis −1: however long it takes */
    Poll next(long timeoutMillis) {
        if (queued) {
            throw new UzuException.InvalidState("A queue reads this stream");
        }
        return read(timeoutMillis);
    }

    /** For the queue that owns it: what is ready now. */
    Poll poll() {
        return read(0);
    }

    /** Whether the caller is the first to make the stream a queue's. */
    synchronized boolean giveToQueue() {
        boolean first = !queued;
        queued = true;
        return first;
    }

    void onReady(Runnable listener) {
        source.onReady(listener);
    }

    /** Calls once the stream has rested and its text has grown, or something is whole. */
    void onGathered(Runnable listener) {
        source.onGathered(pace::isDue, listener);
    }

    /** Whether the next text is to go out at once. */
    boolean isDue() {
        return pace.isDue();
    }

    /** See {@link Pace#longestRest}. */
    long longestRest() {
        return pace.longestRest();
    }

    void cancel() {
        if (cancel != null) {
            cancel.cancel();
        } else {
            source.close();
        }
    }

    /** Whoever still reads it gets {@link UzuException.Closed}: what came may be less than there was to come. */
    void close() {
        closed = true;
        source.close();
    }

    private Poll read(long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, timeoutMillis));
        if (!acquire(timeoutMillis)) {
            return new Poll.Timeout();
        }
        try {
            if (ended) {
                return new Poll.End();
            }
            if (closed) {
                throw new UzuException.Closed("The stream was closed");
            }
            if (timeoutMillis != 0) {
                gather(timeoutMillis < 0 ? Long.MAX_VALUE : deadline - System.nanoTime());
            }
            T result = timeoutMillis < 0
                    ? source.next()
                    : source.next(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            if (result != null) {
                pace.handedOver();
                return new Poll.Ready(encode.apply(result));
            }
            if (closed) {
                throw new UzuException.Closed("The stream was closed");
            }
            ended = source.isFinished();
            return ended ? new Poll.End() : new Poll.Timeout();
        } catch (Throwable failure) {
            ended = true;
            throw failure;
        } finally {
            reading.unlock();
        }
    }

    /** Who only looks, and doesn't wait, needn't gather: nothing wakes it. */
    private void gather(long mostNanos) {
        long rest = Math.min(pace.longestRest(), mostNanos);
        if (pace.isDue() || rest <= 0) {
            return;
        }
        CountDownLatch gathered = new CountDownLatch(1);
        onGathered(gathered::countDown);
        try {
            boolean ignored = gathered.await(rest, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupt) {
            throw interrupted();
        }
    }

    private boolean acquire(long timeoutMillis) {
        try {
            if (timeoutMillis < 0) {
                reading.lockInterruptibly();
                return true;
            }
            return reading.tryLock(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupt) {
            throw interrupted();
        }
    }

    private static UzuException interrupted() {
        Thread.currentThread().interrupt();
        return new UzuException.Cancelled("The thread that read the stream was interrupted");
    }
}
