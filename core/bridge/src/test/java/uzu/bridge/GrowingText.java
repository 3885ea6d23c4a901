package uzu.bridge;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import uzu.ResultStream;

/** A stream whose text the test lets grow; its reader gets what has piled up, as JSON. */
final class GrowingText implements ResultStream<String> {
    private final StringBuilder unread = new StringBuilder();
    private boolean ended;
    private @Nullable Runnable listener;
    private boolean gathers;

    /** Whether a listener waits that text doesn't call. */
    synchronized boolean gathers() {
        return listener != null && gathers;
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
            called = gathers && !last ? null : listener;
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
        listen(whenReady, false);
    }

    @Override
    public void onWhole(Runnable whenWhole) {
        listen(whenWhole, true);
    }

    private void listen(Runnable called, boolean whole) {
        synchronized (this) {
            listener = called;
            gathers = whole;
            if (!ended && (whole || unread.isEmpty())) {
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
