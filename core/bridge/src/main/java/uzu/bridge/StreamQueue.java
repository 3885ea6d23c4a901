package uzu.bridge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import uzu.UzuException;

/** Many streams read by one thread: those that have something stand in line. */
final class StreamQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Member> line = new ArrayDeque<>();
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
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        StringJoiner entries = new StringJoiner(",", "[", "]").setEmptyValue("");
        while (entries.length() == 0) {
            Deque<Member> ready = new ArrayDeque<>();
            lock.lock();
            try {
                while (line.isEmpty() && !closed) {
                    if (timeoutMillis < 0) {
                        changed.await();
                    } else if (left <= 0) {
                        return new Poll.Timeout();
                    } else {
                        left = changed.awaitNanos(left);
                    }
                }
                if (closed) {
                    return new Poll.End();
                }
                ready.addAll(line);
                line.clear();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new UzuException.Cancelled("The thread that read the queue was interrupted");
            } finally {
                lock.unlock();
            }
            // Outside the lock: a stream may call its listener at once, on this thread.
            ready.forEach(member -> take(member, entries));
        }
        return new Poll.Ready(entries.toString());
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            line.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void await(Member member) {
        member.stream.onReady(() -> {
            lock.lock();
            try {
                if (!closed) {
                    line.add(member);
                    changed.signal();
                }
            } finally {
                lock.unlock();
            }
        });
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
