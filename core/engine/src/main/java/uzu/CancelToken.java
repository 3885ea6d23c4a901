package uzu;

/** Asks for the end of a reply. Any thread may cancel, at any time, any number of times. */
public final class CancelToken {
    private volatile boolean cancelled;

    private CancelToken() {}

    public static CancelToken create() {
        return new CancelToken();
    }

    public void cancel() {
        cancelled = true;
    }

    public boolean isCancelled() {
        return cancelled;
    }
}
