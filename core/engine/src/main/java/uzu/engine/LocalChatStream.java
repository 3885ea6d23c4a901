package uzu.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.CancelToken;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyDelta;
import uzu.ChatReplyFinishReason;
import uzu.ChatReplyStats;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;
import uzu.UzuException;
import uzu.generate.Instance;
import uzu.generate.Output;

/** The way of a reply to its reader: turn after turn, each folded into its message so far, and results between. */
final class LocalChatStream implements ChatSessionStream {
    private final CancelToken cancelToken;
    private final Instance instance;

    /** Guards what follows; never held while waiting for the model. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    /** Not read to their ends. */
    private final Deque<StreamPart> parts = new ArrayDeque<>();

    private @Nullable Turn lastTurn;
    private boolean complete;
    private @Nullable Listener listener;

    private volatile boolean closed;

    /** @param isEnough see {@link #onGathered}; null: any text is */
    private record Listener(Runnable call, @Nullable BooleanSupplier isEnough) {
        void listenTo(@Nullable StreamPart head) {
            switch (head) {
                case Turn turn when isEnough != null -> turn.output().onGathered(isEnough, call);
                case Turn turn -> turn.output().onReady(call);
                case null, default -> call.run();
            }
        }
    }

    /** Of the turns that were read; the reader's. */
    private @Nullable ChatReplyStats stats;

    LocalChatStream(CancelToken cancelToken, Instance instance) {
        this.cancelToken = cancelToken;
        this.instance = instance;
    }

    /** The next part; {@link #wake} has to follow. */
    void put(StreamPart part) {
        lock.lock();
        try {
            parts.add(part);
            if (part instanceof Turn turn) {
                lastTurn = turn;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No part follows; {@link #wake} has to follow. */
    void complete() {
        lock.lock();
        try {
            complete = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands on or calls the listener that waited for parts. For a thread that holds no lock. */
    void wake() {
        Listener told;
        StreamPart head;
        lock.lock();
        try {
            head = parts.peek();
            if (listener == null || (head == null && !complete)) {
                return;
            }
            told = listener;
            listener = null;
        } finally {
            lock.unlock();
        }
        try {
            told.listenTo(head);
        } catch (RuntimeException e) {
            Output.tell(e);
        }
    }

    @Override
    public @Nullable ChatSessionStreamChunk next() {
        return chunk(null);
    }

    @Override
    public @Nullable ChatSessionStreamChunk next(Duration timeout) {
        return chunk(timeout);
    }

    /** The last finished reply, without the chunks between. */
    ChatReply rest() {
        ChatReply last = null;
        for (StreamPart part = await(null); part != null && !closed; part = await(null)) {
            switch (part) {
                case Turn turn -> {
                    Output.Piece piece = piece(turn, null, true);
                    last = piece == null ? null : fold(turn, piece);
                }
                case StreamPart.Results results -> read(part);
                case StreamPart.Cancelled cancelled -> last = cancelled(cancelled);
                case StreamPart.Failed failed -> {
                    read(part);
                    throw failed.error();
                }
            }
        }
        if (last == null) {
            throw closed
                    ? new UzuException.Closed("the stream was closed")
                    : new UzuException.InvalidState("the reply was read before");
        }
        return last;
    }

    private @Nullable ChatSessionStreamChunk chunk(@Nullable Duration timeout) {
        if (closed) {
            return null;
        }
        long begun = System.nanoTime();
        StreamPart part = await(timeout);
        return switch (part) {
            case null -> null;
            case Turn turn -> chunk(turn, timeout == null ? null : timeout.minusNanos(System.nanoTime() - begun));
            case StreamPart.Results results -> {
                read(part);
                yield new ChatSessionStreamChunk.ToolResults(results.results());
            }
            case StreamPart.Cancelled cancelled ->
                new ChatSessionStreamChunk.Replies(
                        List.of(cancelled(cancelled)), new ChatReplyDelta("", "", List.of()));
            case StreamPart.Failed failed -> {
                read(part);
                yield new ChatSessionStreamChunk.Error(failed.error());
            }
        };
    }

    private @Nullable ChatSessionStreamChunk chunk(Turn turn, @Nullable Duration timeout) {
        Output.Piece piece;
        try {
            piece = piece(turn, timeout, false);
        } catch (UzuException e) {
            if (turn.output().isReadToEnd()) {
                return new ChatSessionStreamChunk.Error(e);
            }
            throw e;
        }
        if (piece == null) {
            return null;
        }
        ChatReply reply = fold(turn, piece);
        return reply == null ? null : new ChatSessionStreamChunk.Replies(List.of(reply), turn.takeDelta());
    }

    private Output.@Nullable Piece piece(Turn turn, @Nullable Duration timeout, boolean rest) {
        try {
            return rest ? turn.output().rest() : turn.output().next(timeout);
        } finally {
            if (turn.output().isReadToEnd()) {
                read(turn);
            }
        }
    }

    /** Null when the stream was closed meanwhile: then the piece doesn't count as shown. */
    private @Nullable ChatReply fold(Turn turn, Output.Piece piece) {
        if (!turn.show(piece, () -> closed)) {
            return null;
        }
        turn.read(piece);
        ChatReplyFinishReason reason = turn.reason(piece.reason());
        ChatReplyStats sum = TurnStats.sum(stats, piece.stats());
        if (reason != null) {
            stats = sum;
        }
        return new ChatReply(turn.message(reason), sum, reason, turn.unenforced, turn.logprobs());
    }

    private ChatReply cancelled(StreamPart.Cancelled part) {
        read(part);
        ChatReplyStats sum = stats;
        if (sum == null) {
            throw new IllegalStateException("tools ran before the first turn");
        }
        return reply(part.message(), sum);
    }

    private static ChatReply reply(ChatMessage message, ChatReplyStats sum) {
        return new ChatReply(message, sum, ChatReplyFinishReason.CANCELLED, List.of(), List.of());
    }

    /** The part to read; null when none came in time, or there is none to come. */
    private @Nullable StreamPart await(@Nullable Duration timeout) {
        long nanos = timeout == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(timeout);
        lock.lock();
        try {
            while (parts.isEmpty() && !complete) {
                instance.refuseOwnThread();
                if (timeout == null) {
                    changed.await();
                } else if (nanos <= 0) {
                    return null;
                } else {
                    nanos = changed.awaitNanos(nanos);
                }
            }
            return parts.peek();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("the waiting thread was interrupted", Map.of(), e);
        } finally {
            lock.unlock();
        }
    }

    private void read(StreamPart part) {
        lock.lock();
        try {
            parts.remove(part);
        } finally {
            lock.unlock();
        }
    }

    /** Whether it was closed before the reply's end. */
    boolean isClosed() {
        return closed;
    }

    @Override
    public boolean isFinished() {
        lock.lock();
        try {
            return closed || (complete && parts.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CancelToken cancelToken() {
        return cancelToken;
    }

    @Override
    public void onReady(Runnable whenReady) {
        listen(new Listener(whenReady, null));
    }

    @Override
    public void onGathered(BooleanSupplier isEnough, Runnable whenGathered) {
        listen(new Listener(whenGathered, isEnough));
    }

    private void listen(Listener told) {
        StreamPart head;
        lock.lock();
        try {
            head = parts.peek();
            boolean waits = head == null && !complete;
            listener = waits ? told : null;
            if (waits) {
                return;
            }
        } finally {
            lock.unlock();
        }
        told.listenTo(head);
    }

    @Override
    public void close() {
        closed = true;
        cancelToken.cancel();
        for (Turn turn = awaitTurn(null); turn != null; turn = awaitTurn(turn)) {
            turn.output().awaitEnd();
        }
    }

    /** Waits, deaf to interrupts, for another turn than {@code ended}; null when there is none to come. */
    private @Nullable Turn awaitTurn(@Nullable Turn ended) {
        lock.lock();
        try {
            while (lastTurn == ended && !complete) {
                instance.refuseOwnThread();
                changed.awaitUninterruptibly();
            }
            return lastTurn == ended ? null : lastTurn;
        } finally {
            lock.unlock();
        }
    }
}
