package uzu.bridge;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import uzu.ResultStream;

/** A stream whose text the test lets grow; its reader gets what has piled up, as JSON. */
final class GrowingText implements ResultStream<String> {
    private final StringBuilder unread = new StringBuilder();
    private boolean ended;
    private @Nullable Runnable listener;
    private BooleanSupplier isEnough = () -> true;

    /** Whether a listener waits that text wouldn't call. */
    synchronized boolean gathers() {
        return listener != null && !isEnough.getAsBoolean();
    }

    synchronized boolean isAwaited() {
        return listener != null;
    }

    void grow(String text) {
        change(text, false);
    }

    void end(String text) {
        change(text, true);
    }

    private void change(String text, boolean last) {
        Runnable called;
        synchronized (this) {
            unread.append(text);
            ended = last;
            called = last || isEnough.getAsBoolean() ? listener : null;
            listener = called == null ? listener : null;
        }
        if (called != null) {
            called.run();
        }
    }

    @Override
    public @Nullable String next() {
        throw new UnsupportedOperationException("nothing here is to wait");
    }

    @Override
    public synchronized @Nullable String next(Duration timeout) {
        if (unread.isEmpty()) {
            return null;
        }
        String text = "\"" + unread + "\"";
        unread.setLength(0);
        return text;
    }

    @Override
    public synchronized boolean isFinished() {
        return ended && unread.isEmpty();
    }

    @Override
    public void onReady(Runnable whenReady) {
        onGathered(() -> true, whenReady);
    }

    @Override
    public void onGathered(BooleanSupplier enough, Runnable called) {
        synchronized (this) {
            listener = called;
            isEnough = enough;
            if (!ended && (unread.isEmpty() || !enough.getAsBoolean())) {
                return;
            }
            listener = null;
        }
        called.run();
    }

    @Override
    public void close() {
        end("");
    }
}
