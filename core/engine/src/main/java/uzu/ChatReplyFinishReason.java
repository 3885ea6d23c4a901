package uzu;

/** Why a reply ended; when several reasons meet, the first in this order. */
public enum ChatReplyFinishReason {
    CANCELLED,
    /** The model calls tools, and the calls are handed back to the caller. */
    TOOL_CALLS,
    /** A stop token or a stop string. */
    STOP,
    /** The token limit. */
    LENGTH,
    CONTEXT_LIMIT_REACHED,
    /** A provider's filter. */
    REJECTED
}
