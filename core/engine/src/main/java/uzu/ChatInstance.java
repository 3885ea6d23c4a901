package uzu;

/** A model loaded for chat; {@link Engine#chatWithInstance} makes sessions on it. */
public interface ChatInstance extends AutoCloseable {
    Model model();

    ChatConfig config();

    /** Most tokens of a conversation on this instance. */
    int contextLength();

    /** Bytes held: weights, scratch, keys and values of all sessions. */
    long memoryUsedBytes();

    /**
     * Closes its sessions, whose running replies end with {@link UzuException.Closed}, and frees the weights, unless
     * others use them too. Idempotent.
     */
    @Override
    void close();
}
