package uzu.generate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.ChatReplyFinishReason;
import uzu.ChatReplyStats;
import uzu.TokenLogprob;
import uzu.UzuException;
import uzu.speculate.SpeculationTally;

/** The way of a reply's text from the instance's thread to its reader, who gets what has piled up in one piece. */
public final class Output {
    private static final BooleanSupplier ANYTHING = () -> true;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();
    // Apart: waking a thread that waits for the end at every token would take a core from the pass.
    private final Condition finished = lock.newCondition();
    private final long started;
    private final long seed;
    private final Thread writer;

    private final StringBuilder unread = new StringBuilder();
    private List<TokenLogprob> unreadLogprobs = new ArrayList<>();
    private int inputTokens;
    private int cachedTokens;
    private int outputTokens;
    private long firstToken;
    private long lastToken;
    private long ended;
    private @Nullable Long memoryBytes;
    private @Nullable SpeculationTally tally;
    private @Nullable ChatReplyFinishReason reason;
    private @Nullable UzuException error;
    private boolean readToEnd;
    private @Nullable Runnable listener;
    private BooleanSupplier isEnough = ANYTHING;

    /** @param writer the thread that calls listeners, which must not wait for itself */
    Output(long started, long seed, Thread writer) {
        this.started = started;
        this.seed = seed;
        this.writer = writer;
    }

    /**
     * A piece of the reply.
     *
     * @param text what the last piece didn't have yet
     * @param reason null while there is more to come
     */
    public record Piece(
            String text,
            List<TokenLogprob> logprobs,
            ChatReplyStats stats,
            @Nullable ChatReplyFinishReason reason) {}

    /**
     * Waits for the next piece, at most for {@code timeout} when there is one; null when none came or after the last.
     *
     * @throws UzuException as the reply's end, when it failed; {@link UzuException.Cancelled} when the waiting thread
     *     was interrupted, whose reply goes on; {@link UzuException.InvalidState} when a listener would have to wait
     */
    public @Nullable Piece next(@Nullable Duration timeout) {
        return await(false, timeout);
    }

    /** Waits for the end: everything not read yet. Throws as {@link #next} does. */
    public @Nullable Piece rest() {
        return await(true, null);
    }

    /** Whether the last piece, or the failure, was read. */
    public boolean isReadToEnd() {
        lock.lock();
        try {
            return readToEnd;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits, deaf to interrupts, until the instance has let go of the reply.
     *
     * @throws UzuException.InvalidState when a listener would have to wait
     */
    public void awaitEnd() {
        lock.lock();
        try {
            while (!isEnded()) {
                refuseWriter();
                finished.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Calls {@code listener} once, as soon as there is something to read. It takes the place of the one before. */
    public void onReady(Runnable listener) {
        onGathered(ANYTHING, listener);
    }

    /**
     * Calls {@code called} once: when the rest can be read, or as soon as there is something to read and {@code enough}
     * is true, which is asked for each pass. It takes the place of the one before.
     */
    public void onGathered(BooleanSupplier enough, Runnable called) {
        lock.lock();
        try {
            if (!readToEnd && !isEnded() && !(isReadable() && enough.getAsBoolean())) {
                listener = called;
                isEnough = enough;
                return;
            }
            listener = null;
        } finally {
            lock.unlock();
        }
        called.run();
    }

    private @Nullable Piece await(boolean end, @Nullable Duration timeout) {
        long nanos = timeout == null ? Long.MAX_VALUE : saturatedNanos(timeout);
        Condition changed = end ? finished : readable;
        lock.lock();
        try {
            while (!(readToEnd || (end ? isEnded() : isReadable()))) {
                refuseWriter();
                if (timeout == null) {
                    changed.await();
                } else if (nanos <= 0) {
                    return null;
                } else {
                    nanos = changed.awaitNanos(nanos);
                }
            }
            return readToEnd ? null : read();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("the waiting thread was interrupted", java.util.Map.of(), e);
        } finally {
            lock.unlock();
        }
    }

    private void refuseWriter() {
        if (Thread.currentThread() == writer) {
            throw new UzuException.InvalidState("a listener can't wait for the model that calls it");
        }
    }

    private Piece read() {
        if (error != null) {
            readToEnd = true;
            throw error;
        }
        Piece piece = new Piece(unread.toString(), unreadLogprobs, stats(), reason);
        unread.setLength(0);
        unreadLogprobs = new ArrayList<>();
        readToEnd = reason != null;
        return piece;
    }

    private ChatReplyStats stats() {
        double duration = seconds(started, isEnded() ? ended : System.nanoTime());
        Double toFirst = outputTokens == 0 ? null : seconds(started, firstToken);
        double generating = seconds(firstToken, lastToken);
        return new ChatReplyStats(
                duration,
                toFirst,
                toFirst == null ? null : (inputTokens - cachedTokens) / toFirst,
                outputTokens < 2 || generating == 0 ? null : (outputTokens - 1) / generating,
                inputTokens,
                outputTokens,
                cachedTokens,
                memoryBytes,
                tally == null ? null : tally.stats(),
                seed);
    }

    private boolean isReadable() {
        return isEnded() || !unread.isEmpty() || !unreadLogprobs.isEmpty();
    }

    private boolean isEnded() {
        return reason != null || error != null;
    }

    void prompt(int tokens, int cached) {
        lock.lock();
        try {
            inputTokens = tokens;
            cachedTokens = cached;
        } finally {
            lock.unlock();
        }
    }

    /** The reply speculates. */
    void speculates() {
        lock.lock();
        try {
            tally = new SpeculationTally();
        } finally {
            lock.unlock();
        }
    }

    /** See {@link SpeculationTally#passed}. */
    void passed(int drafted, int accepted, long draftNanos, long passNanos, long walkNanos) {
        lock.lock();
        try {
            if (tally != null) {
                tally.passed(drafted, accepted, draftNanos, passNanos, walkNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** See {@link SpeculationTally#followed}. */
    void followed(long nanos) {
        lock.lock();
        try {
            if (tally != null) {
                tally.followed(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** One token more, and the text it completes. The reader may read it, but isn't woken before {@link #show}. */
    void token(String text, @Nullable TokenLogprob logprob) {
        lock.lock();
        try {
            lastToken = System.nanoTime();
            if (outputTokens++ == 0) {
                firstToken = lastToken;
            }
            unread.append(text);
            if (logprob != null) {
                unreadLogprobs.add(logprob);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the reader when there is something to read: once for all tokens of a pass. */
    void show() {
        Runnable call;
        lock.lock();
        try {
            call = isReadable() ? wake() : null;
        } finally {
            lock.unlock();
        }
        run(call);
    }

    void finish(String text, ChatReplyFinishReason why, long memory) {
        end(text, why, null, memory);
    }

    void fail(UzuException failure) {
        end("", null, failure, null);
    }

    private void end(
            String text, @Nullable ChatReplyFinishReason why, @Nullable UzuException failure, @Nullable Long memory) {
        Runnable call;
        lock.lock();
        try {
            unread.append(text);
            ended = System.nanoTime();
            memoryBytes = memory;
            reason = why;
            error = failure;
            finished.signalAll();
            call = wake();
        } finally {
            lock.unlock();
        }
        run(call);
    }

    private @Nullable Runnable wake() {
        readable.signalAll();
        if (!isEnded() && !isEnough.getAsBoolean()) {
            return null;
        }
        Runnable call = listener;
        listener = null;
        return call;
    }

    private static void run(@Nullable Runnable call) {
        if (call == null) {
            return;
        }
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            tell(e);
        }
    }

    /** Nobody waits for it: a failure is for the thread's owner to see, and must not end the thread that serves everybody. */
    public static void tell(Throwable failure) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        } catch (Throwable e) {
            // Nobody is left to tell; a thread's end ignores it too.
        }
    }

    private static double seconds(long from, long to) {
        return (to - from) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    private static long saturatedNanos(Duration timeout) {
        return TimeUnit.NANOSECONDS.convert(timeout);
    }
}
