package uzu.kotlin.transport

/** How calls reach the engine: its functions as `uzu.h` names them, without their prefix; handles and JSON texts. */
internal interface Transport {
    /** A call whose result is a text. */
    fun text(function: String, handle: Long, vararg texts: String?): String

    /** A call whose result is a handle or a count. */
    fun number(function: String, handle: Long, vararg texts: String?): Long

    /** A call without a result. */
    fun run(function: String, handle: Long, vararg texts: String?)

    fun queueAdd(queue: Long, stream: Long)

    /** What is ready as JSON; empty when nothing came in time, null once the queue was closed. */
    fun queueNext(queue: Long, timeoutMillis: Long): String?
}
