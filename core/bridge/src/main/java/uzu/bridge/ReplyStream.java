package uzu.bridge;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
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
    private final AtomicReference<@Nullable Runnable> listener = new AtomicReference<>();

    /** Whether a message's last chunk was the last that was read: calls of tools come after it. */
    private volatile boolean isBetweenMessages;

    ReplyStream(ChatSessionStream source, HostCalls calls, Function<ChatSessionStreamChunk, String> encode) {
        this.source = source;
        this.calls = calls;
        this.encode = encode;
        calls.onCall(this::fire);
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
            CountDownLatch ready = new CountDownLatch(1);
            onReady(ready::countDown);
            if (!await(ready, deadline)) {
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
        listener.set(whenReady);
        source.onReady(this::fire);
        fireIfCalled();
    }

    @Override
    public void onGathered(BooleanSupplier isEnough, Runnable whenGathered) {
        listener.set(whenGathered);
        source.onGathered(isEnough, this::fire);
        fireIfCalled();
    }

    @Override
    public void close() {
        source.close();
    }

    /** What is there: what the model said before it called comes before the call. */
    private @Nullable String take() {
        ChatSessionStreamChunk chunk = source.next(Duration.ZERO);
        if (chunk != null) {
            isBetweenMessages = !(chunk instanceof ChatSessionStreamChunk.Replies replies)
                    || replies.replies().getFirst().finishReason() != null;
            return encode.apply(chunk);
        }
        JsonNode called = isBetweenMessages ? calls.takeUnread() : null;
        return called == null ? null : called.toString();
    }

    private void fireIfCalled() {
        if (isBetweenMessages && calls.hasUnread()) {
            fire();
        }
    }

    /** The listener is called once; too early by one that was there before, which does no harm. */
    private void fire() {
        Runnable called = listener.getAndSet(null);
        if (called != null) {
            called.run();
        }
    }

    /** False when nothing came by then. */
    private static boolean await(CountDownLatch ready, long deadline) {
        try {
            return ready.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("The thread that read the stream was interrupted");
        }
    }
}
