package uzu;

import java.util.ArrayList;
import java.util.List;

/** Asks for the end of a reply. Any thread may cancel, at any time, any number of times. */
public final class CancelToken {
    private volatile boolean cancelled;

    /** Called and emptied by the first cancel; guarded by this. */
    private final List<Runnable> listeners = new ArrayList<>();

    private CancelToken() {}

    public static CancelToken create() {
        return new CancelToken();
    }

    public void cancel() {
        List<Runnable> calls;
        synchronized (this) {
            cancelled = true;
            calls = List.copyOf(listeners);
            listeners.clear();
        }
        calls.forEach(Runnable::run);
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * Calls {@code listener} once it is cancelled, on the thread that cancels: now if it is already. To abort what a
     * tool waits for, say.
     */
    public void onCancel(Runnable listener) {
        synchronized (this) {
            if (!cancelled) {
                listeners.add(listener);
                return;
            }
        }
        listener.run();
    }
}
