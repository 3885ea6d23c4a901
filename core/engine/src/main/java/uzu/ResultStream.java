package uzu;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Results while they are made, pulled by their reader: read once, by one thread at a time; closed from any thread.
 *
 * @param <T> what it hands out
 */
public interface ResultStream<T> extends Iterable<T>, AutoCloseable {
    /** Waits for the next result; null after the last. */
    @Nullable T next();

    /** Null when nothing came in time, or after the last: see {@link #isFinished}. */
    @Nullable T next(Duration timeout);

    /** Whether the last result was handed out. */
    boolean isFinished();

    /**
     * Calls {@code listener} once, as soon as {@link #next()} wouldn't wait: now, or later on a thread of the engine
     * that must not be held up: what would wait for the model there is an {@link UzuException.InvalidState}. A stream
     * has one listener, the last that was given here or to {@link #onGathered}.
     */
    void onReady(Runnable listener);

    /**
     * As {@link #onReady}, for a reader that gathers what comes piece by piece: text calls it only where
     * {@code isEnough} says so as the text grows; the end of a message, results of tools, a failure and the end of the
     * stream call it in any case.
     *
     * @param isEnough asked for each token, on the thread that runs the model: it is to be short, and call nothing here
     */
    default void onGathered(BooleanSupplier isEnough, Runnable listener) {
        onReady(listener);
    }

    @Override
    default Iterator<T> iterator() {
        return new Iterator<>() {
            private @Nullable T ahead;

            @Override
            public boolean hasNext() {
                if (ahead == null) {
                    ahead = ResultStream.this.next();
                }
                return ahead != null;
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                T result = Objects.requireNonNull(ahead);
                ahead = null;
                return result;
            }
        };
    }

    @Override
    void close();
}
