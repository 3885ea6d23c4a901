package uzu;

/**
 * A reply while it is made. A reader that comes late gets what has piled up as one chunk. The last replies chunk has
 * the finish reason.
 */
public interface ChatSessionStream extends ResultStream<ChatSessionStreamChunk> {
    /** Stops the reply within one forward pass, in prefill too; the stream then ends with what there is. */
    CancelToken cancelToken();

    /** Cancels the reply if it is still being made, and waits until the session is idle. Idempotent. */
    @Override
    void close();
}
