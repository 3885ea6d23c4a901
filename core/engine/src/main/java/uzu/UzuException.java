package uzu;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong, with a code that is the same in every language, a message a user can act on, and the path, field,
 * keyword or tensor at fault in {@link #details()}. One subclass a code, so that callers catch what they can handle.
 */
public abstract sealed class UzuException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient Map<String, String> details;

    private UzuException(ErrorCode code, String message, Map<String, String> details, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.details = Map.copyOf(details);
    }

    public final ErrorCode code() {
        return code;
    }

    /** What is at fault, by kind: {@code path}, {@code field}, {@code tensor}, {@code keyword}, … */
    public final Map<String, String> details() {
        return details;
    }

    public static final class InvalidArgument extends UzuException {
        private static final long serialVersionUID = 1L;

        public InvalidArgument(String message) {
            this(message, Map.of(), null);
        }

        public InvalidArgument(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public InvalidArgument(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.INVALID_ARGUMENT, message, details, cause);
        }
    }

    public static final class InvalidState extends UzuException {
        private static final long serialVersionUID = 1L;

        public InvalidState(String message) {
            this(message, Map.of(), null);
        }

        public InvalidState(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public InvalidState(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.INVALID_STATE, message, details, cause);
        }
    }

    public static final class ModelNotFound extends UzuException {
        private static final long serialVersionUID = 1L;

        public ModelNotFound(String message) {
            this(message, Map.of(), null);
        }

        public ModelNotFound(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public ModelNotFound(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.MODEL_NOT_FOUND, message, details, cause);
        }
    }

    public static final class ModelUnsupported extends UzuException {
        private static final long serialVersionUID = 1L;

        public ModelUnsupported(String message) {
            this(message, Map.of(), null);
        }

        public ModelUnsupported(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public ModelUnsupported(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.MODEL_UNSUPPORTED, message, details, cause);
        }
    }

    public static final class ModelCorrupt extends UzuException {
        private static final long serialVersionUID = 1L;

        public ModelCorrupt(String message) {
            this(message, Map.of(), null);
        }

        public ModelCorrupt(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public ModelCorrupt(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.MODEL_CORRUPT, message, details, cause);
        }
    }

    public static final class TensorMissing extends UzuException {
        private static final long serialVersionUID = 1L;

        public TensorMissing(String message) {
            this(message, Map.of(), null);
        }

        public TensorMissing(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public TensorMissing(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.TENSOR_MISSING, message, details, cause);
        }
    }

    public static final class DownloadFailed extends UzuException {
        private static final long serialVersionUID = 1L;

        public DownloadFailed(String message) {
            this(message, Map.of(), null);
        }

        public DownloadFailed(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public DownloadFailed(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.DOWNLOAD_FAILED, message, details, cause);
        }
    }

    public static final class DiskFull extends UzuException {
        private static final long serialVersionUID = 1L;

        public DiskFull(String message) {
            this(message, Map.of(), null);
        }

        public DiskFull(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public DiskFull(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.DISK_FULL, message, details, cause);
        }
    }

    public static final class Offline extends UzuException {
        private static final long serialVersionUID = 1L;

        public Offline(String message) {
            this(message, Map.of(), null);
        }

        public Offline(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public Offline(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.OFFLINE, message, details, cause);
        }
    }

    public static final class OutOfMemory extends UzuException {
        private static final long serialVersionUID = 1L;

        public OutOfMemory(String message) {
            this(message, Map.of(), null);
        }

        public OutOfMemory(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public OutOfMemory(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.OUT_OF_MEMORY, message, details, cause);
        }
    }

    public static final class ContextOverflow extends UzuException {
        private static final long serialVersionUID = 1L;

        public ContextOverflow(String message) {
            this(message, Map.of(), null);
        }

        public ContextOverflow(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public ContextOverflow(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.CONTEXT_OVERFLOW, message, details, cause);
        }
    }

    public static final class GrammarUnsupported extends UzuException {
        private static final long serialVersionUID = 1L;

        public GrammarUnsupported(String message) {
            this(message, Map.of(), null);
        }

        public GrammarUnsupported(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public GrammarUnsupported(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.GRAMMAR_UNSUPPORTED, message, details, cause);
        }
    }

    public static final class GrammarDeadEnd extends UzuException {
        private static final long serialVersionUID = 1L;

        public GrammarDeadEnd(String message) {
            this(message, Map.of(), null);
        }

        public GrammarDeadEnd(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public GrammarDeadEnd(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.GRAMMAR_DEAD_END, message, details, cause);
        }
    }

    public static final class TemplateFailed extends UzuException {
        private static final long serialVersionUID = 1L;

        public TemplateFailed(String message) {
            this(message, Map.of(), null);
        }

        public TemplateFailed(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public TemplateFailed(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.TEMPLATE_FAILED, message, details, cause);
        }
    }

    public static final class ToolFailed extends UzuException {
        private static final long serialVersionUID = 1L;

        public ToolFailed(String message) {
            this(message, Map.of(), null);
        }

        public ToolFailed(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public ToolFailed(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.TOOL_FAILED, message, details, cause);
        }
    }

    public static final class ToolTurnLimit extends UzuException {
        private static final long serialVersionUID = 1L;

        public ToolTurnLimit(String message) {
            this(message, Map.of(), null);
        }

        public ToolTurnLimit(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public ToolTurnLimit(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.TOOL_TURN_LIMIT, message, details, cause);
        }
    }

    public static final class Cancelled extends UzuException {
        private static final long serialVersionUID = 1L;

        public Cancelled(String message) {
            this(message, Map.of(), null);
        }

        public Cancelled(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public Cancelled(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.CANCELLED, message, details, cause);
        }
    }

    public static final class ProviderFailed extends UzuException {
        private static final long serialVersionUID = 1L;

        public ProviderFailed(String message) {
            this(message, Map.of(), null);
        }

        public ProviderFailed(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public ProviderFailed(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.PROVIDER_FAILED, message, details, cause);
        }
    }

    public static final class Closed extends UzuException {
        private static final long serialVersionUID = 1L;

        public Closed(String message) {
            this(message, Map.of(), null);
        }

        public Closed(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public Closed(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.CLOSED, message, details, cause);
        }
    }

    public static final class Internal extends UzuException {
        private static final long serialVersionUID = 1L;

        public Internal(String message) {
            this(message, Map.of(), null);
        }

        public Internal(String message, Map<String, String> details) {
            this(message, details, null);
        }

        public Internal(String message, Map<String, String> details, @Nullable Throwable cause) {
            super(ErrorCode.INTERNAL, message, details, cause);
        }
    }
}
