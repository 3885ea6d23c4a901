package uzu;

import java.util.Locale;

/** The one list of error codes, the same in every language. */
public enum ErrorCode {
    INVALID_ARGUMENT,
    INVALID_STATE,
    MODEL_NOT_FOUND,
    MODEL_UNSUPPORTED,
    MODEL_CORRUPT,
    TENSOR_MISSING,
    DOWNLOAD_FAILED,
    DISK_FULL,
    OFFLINE,
    OUT_OF_MEMORY,
    CONTEXT_OVERFLOW,
    GRAMMAR_UNSUPPORTED,
    GRAMMAR_DEAD_END,
    TEMPLATE_FAILED,
    TOOL_FAILED,
    TOOL_TURN_LIMIT,
    CANCELLED,
    PROVIDER_FAILED,
    CLOSED,
    INTERNAL;

    /** The code as it is spelled outside Java: {@code model_not_found}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
