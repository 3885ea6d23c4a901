package uzu.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import uzu.EngineEvent;
import uzu.EngineEvents;
import uzu.UzuException;

/** The events that one reader hasn't read. */
final class EventStream implements EngineEvents {
    private final Consumer<EventStream> closing;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<EngineEvent> unread = new ArrayList<>();
    private boolean ended;
    private @Nullable Runnable listener;

    EventStream(Consumer<EventStream> closing) {
        this.closing = closing;
    }

    /** One step of a download takes the place of the step before, so that an idle reader costs nothing. */
    void add(EngineEvent event) {
        change(() -> {
            if (ended) {
                return;
            }
            if (event instanceof EngineEvent.Download now) {
                unread.removeIf(each -> each instanceof EngineEvent.Download before
                        && before.model().equals(now.model())
                        && before.state().phase().equals(now.state().phase()));
            }
            unread.add(event);
        });
    }

    /** What was added can still be read. */
    void end() {
        change(() -> ended = true);
    }

    @Override
    public @Nullable EngineEvent next() {
        return await(Long.MAX_VALUE);
    }

    @Override
    public @Nullable EngineEvent next(Duration timeout) {
        return await(timeout.toNanos());
    }

    @Override
    public boolean isFinished() {
        lock.lock();
        try {
            return ended && unread.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onReady(Runnable listener) {
        lock.lock();
        try {
            if (unread.isEmpty() && !ended) {
                this.listener = listener;
                return;
            }
        } finally {
            lock.unlock();
        }
        listener.run();
    }

    @Override
    public void close() {
        closing.accept(this);
        change(() -> {
            ended = true;
            unread.clear();
        });
    }

    /** The listener is called outside the lock, as it may call back. */
    private void change(Runnable change) {
        Runnable called = null;
        lock.lock();
        try {
            change.run();
            changed.signalAll();
            if (ended || !unread.isEmpty()) {
                called = listener;
                listener = null;
            }
        } finally {
            lock.unlock();
        }
        if (called != null) {
            called.run();
        }
    }

    private @Nullable EngineEvent await(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (unread.isEmpty() && !ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            return unread.isEmpty() ? null : unread.removeFirst();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted while waiting for an event");
        } finally {
            lock.unlock();
        }
    }
}
