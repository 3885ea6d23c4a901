package uzu;

/** A completion while it is made; as {@link ChatSessionStream}, but a failure is thrown. */
public interface CompletionStream extends ResultStream<CompletionChunk> {
    /** Stops within one forward pass, in prefill too; the stream then ends with what there is. */
    CancelToken cancelToken();

    /** Cancels if it is still being made. Idempotent. */
    @Override
    void close();
}
