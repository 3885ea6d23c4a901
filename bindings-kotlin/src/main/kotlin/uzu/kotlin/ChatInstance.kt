package uzu.kotlin

import uzu.kotlin.transport.Handle
import uzu.kotlin.transport.waiting

/** A loaded model that several sessions share. */
class ChatInstance internal constructor(internal val engine: Engine, internal val handle: Handle) : AutoCloseable {
    /** Bytes held: weights, scratch, keys and values of all sessions. */
    suspend fun memoryUsedBytes(): Long = waiting { handle.number("instance_memory_used") }

    /** Frees the weights and closes the sessions on them. */
    override fun close(): Unit = handle.close()
}
