package uzu;

/** Why a reply ended; when several reasons meet, the first in this order. */
public enum ChatReplyFinishReason {
    CANCELLED,
    /** A stop token or a stop string. */
    STOP,
    /** The token limit. */
    LENGTH,
    CONTEXT_LIMIT_REACHED
}
