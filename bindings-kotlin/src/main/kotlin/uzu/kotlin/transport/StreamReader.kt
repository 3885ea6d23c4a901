package uzu.kotlin.transport

import kotlinx.coroutines.channels.Channel
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import uzu.kotlin.UzuException
import uzu.kotlin.json.exception
import uzu.kotlin.json.parsed
import java.util.concurrent.ConcurrentHashMap
import kotlin.concurrent.thread

/** Where a stream's chunks arrive. Calls of tools are handed on as they arrive, read or not. */
internal class Inbox(val onToolCalls: (JsonArray) -> Unit = {}) {
    /** Closed after the last chunk, with the error that ended the stream if one did. */
    val chunks = Channel<JsonObject>(Channel.UNLIMITED)

    /** Whether more comes. */
    fun deliver(entry: JsonObject): Boolean {
        val chunk = entry["chunk"]?.jsonObject
        val error = entry["error"]?.jsonObject
        when {
            error != null -> chunks.close(exception(error))
            chunk == null -> chunks.close()
            "call_tools" in chunk -> onToolCalls(chunk.getValue("call_tools").jsonArray)
            else -> chunks.trySend(chunk)
        }
        return chunk != null
    }
}

/** The thread that reads all streams of an engine, through one queue. */
internal class StreamReader(private val transport: Transport) : AutoCloseable {
    private val queue = Handle(transport, transport.number("queue_create", 0))
    private val inboxes = ConcurrentHashMap<Long, Inbox>()

    init {
        val value = queue.value
        val streams = inboxes
        val source = transport
        // Refers to no reader, which ends this thread by closing the queue when it is collected.
        thread(name = "uzu-streams", isDaemon = true) { read(source, value, streams) }
    }

    /** Has the stream's chunks come to the inbox. The handle that this gives closes the stream. */
    fun read(stream: Long, inbox: Inbox): Handle {
        inboxes[stream] = inbox
        val streams = inboxes
        val handle = Handle(transport, stream) {
            streams.remove(stream)?.chunks?.close(UzuException.Closed("The stream was closed"))
        }
        try {
            transport.queueAdd(queue.value, stream)
        } catch (e: UzuException) {
            handle.close()
            throw e
        }
        return handle
    }

    override fun close(): Unit = queue.close()

    private companion object {
        fun read(transport: Transport, queue: Long, inboxes: ConcurrentHashMap<Long, Inbox>) {
            while (true) {
                val ready = try {
                    transport.queueNext(queue, -1)
                } catch (_: UzuException) {
                    null // the queue was closed before this thread came to wait
                }
                if (ready == null) {
                    inboxes.values.forEach { it.chunks.close(UzuException.Closed("The engine was closed")) }
                    return
                }
                if (ready.isNotEmpty()) {
                    parsed(ready).jsonArray.forEach { deliver(it.jsonObject, inboxes) }
                }
            }
        }

        fun deliver(entry: JsonObject, inboxes: ConcurrentHashMap<Long, Inbox>) {
            val stream = entry.getValue("stream").jsonPrimitive.long
            val more = inboxes[stream]?.deliver(entry)
            if (more == false) {
                inboxes.remove(stream)
            }
        }
    }
}
