package uzu.bridge;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;
import uzu.ResultStream;
import uzu.UzuException;

/** A reply's chunks as JSON, and between them the calls that its host is to answer. */
final class ReplyStream implements ResultStream<String> {
    private final ChatSessionStream source;
    private final HostCalls calls;
    private final Function<ChatSessionStreamChunk, String> encode;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isReady;
    private boolean isAwaited;
    private @Nullable Runnable listener;

    ReplyStream(ChatSessionStream source, HostCalls calls, Function<ChatSessionStreamChunk, String> encode) {
        this.source = source;
        this.calls = calls;
        this.encode = encode;
        calls.onCall(this::wake);
    }

    @Override
    public @Nullable String next() {
        return next(Duration.ofNanos(Long.MAX_VALUE));
    }

    @Override
    public @Nullable String next(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            String chunk = take();
            if (chunk != null || source.isFinished()) {
                return chunk;
            }
            awaitSource();
            if (!waitUntil(deadline)) {
                return null;
            }
        }
    }

    @Override
    public boolean isFinished() {
        return source.isFinished();
    }

    @Override
    public void onReady(Runnable whenReady) {
        lock.lock();
        try {
            listener = whenReady;
        } finally {
            lock.unlock();
        }
        awaitSource();
        if (isReadable()) {
            fire();
        }
    }

    @Override
    public void close() {
        source.close();
    }

    /** What is there: what the model said before it called comes before the call. */
    private @Nullable String take() {
        if (takeReady()) {
            ChatSessionStreamChunk chunk = source.next(Duration.ZERO);
            if (chunk != null) {
                return encode.apply(chunk);
            }
        }
        JsonNode called = calls.takeUnread();
        return called == null ? null : called.toString();
    }

    private boolean takeReady() {
        lock.lock();
        try {
            boolean was = isReady;
            isReady = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    /** Has the source tell when it has something; it tells once each time. */
    private void awaitSource() {
        lock.lock();
        try {
            if (isAwaited || isReady) {
                return;
            }
            isAwaited = true;
        } finally {
            lock.unlock();
        }
        source.onReady(() -> {
            lock.lock();
            try {
                isAwaited = false;
                isReady = true;
            } finally {
                lock.unlock();
            }
            wake();
        });
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        fire();
    }

    /** The listener is called once, outside the lock. */
    private void fire() {
        Runnable called;
        lock.lock();
        try {
            called = listener;
            listener = null;
        } finally {
            lock.unlock();
        }
        if (called != null) {
            called.run();
        }
    }

    private boolean isReadable() {
        lock.lock();
        try {
            return isReady || calls.hasUnread();
        } finally {
            lock.unlock();
        }
    }

    /** False when nothing came by then. */
    private boolean waitUntil(long deadline) {
        lock.lock();
        try {
            while (!isReady && !calls.hasUnread()) {
                if (changed.awaitNanos(deadline - System.nanoTime()) <= 0) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("The thread that read the stream was interrupted");
        } finally {
            lock.unlock();
        }
    }
}
