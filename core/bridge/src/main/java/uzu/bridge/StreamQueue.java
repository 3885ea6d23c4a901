package uzu.bridge;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Many streams read by one thread. Those that have something stand in line; those that were read a short time ago rest,
 * and let their text gather. Whoever wakes the reader, it takes along what the others have.
 */
final class StreamQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Member> line = new LinkedHashSet<>();
    private final Set<Member> resting = new LinkedHashSet<>();
    private boolean closed;

    private record Member(long handle, JsonStream<?> stream) {}

    void add(long handle, JsonStream<?> stream) {
        if (!stream.giveToQueue()) {
            throw new UzuException.InvalidState("A queue reads this stream already");
        }
        await(new Member(handle, stream));
    }

    /** All that is ready, at least one entry. @param timeoutMillis −1: however long it takes */
    Poll next(long timeoutMillis) {
        long begun = System.nanoTime();
        long mostNanos = timeoutMillis < 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        StringJoiner entries = new StringJoiner(",", "[", "]").setEmptyValue("");
        boolean late = false;
        while (entries.length() == 0 && !late) {
            Set<Member> ready = awaitReady(begun, mostNanos);
            if (ready == null) {
                return new Poll.End();
            }
            late = System.nanoTime() - begun >= mostNanos;
            // Outside the lock: a stream may call its listener at once, on this thread.
            ready.forEach(member -> take(member, entries));
        }
        return entries.length() == 0 ? new Poll.Timeout() : new Poll.Ready(entries.toString());
    }

    /** Those to look at, once one stands in line or has rested, or it has taken {@code mostNanos}; null when closed. */
    private @Nullable Set<Member> awaitReady(long begun, long mostNanos) {
        lock.lock();
        try {
            while (!closed && line.isEmpty()) {
                long most = Math.min(rest(), mostNanos - (System.nanoTime() - begun));
                if (most <= 0) {
                    break;
                }
                changed.awaitNanos(most);
            }
            if (closed) {
                return null;
            }
            Set<Member> ready = new LinkedHashSet<>(line);
            ready.addAll(resting);
            line.clear();
            resting.clear();
            return ready;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("The thread that read the queue was interrupted");
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            line.clear();
            resting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Until the first of those that rest needs to be looked at, though none has called. */
    private long rest() {
        long first = Long.MAX_VALUE;
        for (Member member : resting) {
            first = Math.min(first, member.stream.longestRest());
        }
        return first;
    }

    private void await(Member member) {
        if (member.stream.isDue()) {
            member.stream.onReady(() -> ready(member));
            return;
        }
        lock.lock();
        try {
            if (closed) {
                return;
            }
            resting.add(member);
        } finally {
            lock.unlock();
        }
        member.stream.onGathered(() -> ready(member));
    }

    private void ready(Member member) {
        lock.lock();
        try {
            if (!closed) {
                resting.remove(member);
                line.add(member);
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(Member member, StringJoiner entries) {
        try {
            switch (member.stream.poll()) {
                case Poll.Ready ready -> {
                    entries.add(entry(member)
                            .putJson("chunk", ready.json())
                            .endObject()
                            .toString());
                    await(member);
                }
                case Poll.Timeout timeout -> await(member);
                case Poll.End end -> entries.add(end(member));
            }
        } catch (Throwable failure) {
            entries.add(entry(member)
                    .put("error", Errors.json(Errors.of(failure)))
                    .endObject()
                    .toString());
            entries.add(end(member));
        }
    }

    private static String end(Member member) {
        return entry(member).putJson("end", "true").endObject().toString();
    }

    private static JsonWriter entry(Member member) {
        return new JsonWriter().object().put("stream", member.handle);
    }
}
