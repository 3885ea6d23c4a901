package uzu.kotlin

/** The one list of error codes, the same in every language. */
enum class ErrorCode(
    /** As it is spelled outside Kotlin and Java: `model_not_found`. */
    val code: String,
) {
    InvalidArgument("invalid_argument"),
    InvalidState("invalid_state"),
    ModelNotFound("model_not_found"),
    ModelUnsupported("model_unsupported"),
    ModelCorrupt("model_corrupt"),
    TensorMissing("tensor_missing"),
    DownloadFailed("download_failed"),
    DiskFull("disk_full"),
    Offline("offline"),
    OutOfMemory("out_of_memory"),
    ContextOverflow("context_overflow"),
    GrammarUnsupported("grammar_unsupported"),
    GrammarDeadEnd("grammar_dead_end"),
    TemplateFailed("template_failed"),
    ToolFailed("tool_failed"),
    ToolTurnLimit("tool_turn_limit"),
    Cancelled("cancelled"),
    ProviderFailed("provider_failed"),
    Closed("closed"),
    Internal("internal"),
}

private typealias Details = Map<String, String>

/**
 * What went wrong: a [code], a message to act on, and in [details] the path, field, keyword or tensor at fault. One
 * subclass a code. A coroutine that is cancelled ends with `CancellationException`, as all do, and not with one of
 * these.
 */
sealed class UzuException(val code: ErrorCode, message: String, val details: Details, cause: Throwable?) :
    RuntimeException(message, cause) {
    override val message: String get() = super.message!!

    class InvalidArgument
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.InvalidArgument, message, details, cause)

    class InvalidState
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.InvalidState, message, details, cause)

    class ModelNotFound
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.ModelNotFound, message, details, cause)

    class ModelUnsupported
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.ModelUnsupported, message, details, cause)

    class ModelCorrupt
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.ModelCorrupt, message, details, cause)

    class TensorMissing
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.TensorMissing, message, details, cause)

    class DownloadFailed
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.DownloadFailed, message, details, cause)

    class DiskFull
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.DiskFull, message, details, cause)

    class Offline
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.Offline, message, details, cause)

    class OutOfMemory
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.OutOfMemory, message, details, cause)

    class ContextOverflow
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.ContextOverflow, message, details, cause)

    class GrammarUnsupported
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.GrammarUnsupported, message, details, cause)

    class GrammarDeadEnd
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.GrammarDeadEnd, message, details, cause)

    class TemplateFailed
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.TemplateFailed, message, details, cause)

    class ToolFailed
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.ToolFailed, message, details, cause)

    class ToolTurnLimit
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.ToolTurnLimit, message, details, cause)

    class Cancelled
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.Cancelled, message, details, cause)

    class ProviderFailed
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.ProviderFailed, message, details, cause)

    class Closed
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.Closed, message, details, cause)

    class Internal
    @JvmOverloads constructor(message: String, details: Details = mapOf(), cause: Throwable? = null) :
        UzuException(ErrorCode.Internal, message, details, cause)

    internal companion object {
        fun of(code: String, message: String, details: Details, cause: Throwable? = null): UzuException =
            when (ErrorCode.entries.firstOrNull { it.code == code } ?: ErrorCode.Internal) {
                ErrorCode.InvalidArgument -> InvalidArgument(message, details, cause)
                ErrorCode.InvalidState -> InvalidState(message, details, cause)
                ErrorCode.ModelNotFound -> ModelNotFound(message, details, cause)
                ErrorCode.ModelUnsupported -> ModelUnsupported(message, details, cause)
                ErrorCode.ModelCorrupt -> ModelCorrupt(message, details, cause)
                ErrorCode.TensorMissing -> TensorMissing(message, details, cause)
                ErrorCode.DownloadFailed -> DownloadFailed(message, details, cause)
                ErrorCode.DiskFull -> DiskFull(message, details, cause)
                ErrorCode.Offline -> Offline(message, details, cause)
                ErrorCode.OutOfMemory -> OutOfMemory(message, details, cause)
                ErrorCode.ContextOverflow -> ContextOverflow(message, details, cause)
                ErrorCode.GrammarUnsupported -> GrammarUnsupported(message, details, cause)
                ErrorCode.GrammarDeadEnd -> GrammarDeadEnd(message, details, cause)
                ErrorCode.TemplateFailed -> TemplateFailed(message, details, cause)
                ErrorCode.ToolFailed -> ToolFailed(message, details, cause)
                ErrorCode.ToolTurnLimit -> ToolTurnLimit(message, details, cause)
                ErrorCode.Cancelled -> Cancelled(message, details, cause)
                ErrorCode.ProviderFailed -> ProviderFailed(message, details, cause)
                ErrorCode.Closed -> Closed(message, details, cause)
                ErrorCode.Internal -> Internal(message, details, cause)
            }
    }
}
