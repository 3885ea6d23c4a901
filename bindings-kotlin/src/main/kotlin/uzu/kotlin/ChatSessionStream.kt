package uzu.kotlin

import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.mapNotNull
import kotlinx.coroutines.job
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import uzu.kotlin.json.Folded
import uzu.kotlin.json.toolCallResult
import uzu.kotlin.transport.Handle
import uzu.kotlin.transport.Inbox
import uzu.kotlin.transport.StreamReader
import uzu.kotlin.transport.closing
import uzu.kotlin.transport.opening
import java.lang.ref.Reference

/** What a stream of a reply hands out. */
sealed class ChatSessionStreamChunk {
    /**
     * The reply has grown.
     *
     * @property delta what the last chunk's message didn't have yet
     */
    class Replies internal constructor(val delta: ChatReplyDelta, reply: Lazy<ChatReply>) : ChatSessionStreamChunk() {
        /** The replies so far, each with its whole message, which is put together when it is first asked for. */
        val replies: List<ChatReply> by lazy { listOf(reply.value) }

        operator fun component1() = replies

        operator fun component2() = delta

        override fun toString(): String = "Replies($delta)"
    }

    /** What the tools that the model called came to; further replies follow. */
    data class ToolResults(val results: List<ChatContentBlock.ToolCallResult>) : ChatSessionStreamChunk()

    /** The reply failed; the last chunk. */
    data class Error(val error: UzuException) : ChatSessionStreamChunk()
}

/**
 * A reply while it is made: a cold flow. Collecting it asks for the reply, each time anew; errors in the input are
 * thrown there. A collector that comes late gets what has piled up as one chunk, and the last chunk has the finish
 * reason. Cancelling the collecting coroutine, or leaving the flow early, cancels the reply within one forward pass,
 * and waits until the session is idle. Tools run in the collecting coroutine's context.
 */
class ChatSessionStream internal constructor(
    private val session: ChatSession,
    private val reader: StreamReader,
    private val start: () -> Long,
) : Flow<ChatSessionStreamChunk> {
    /** Stops the reply within one forward pass, in prefill too; the flow then ends with what there is. */
    val cancelToken: CancelToken = CancelToken()

    override suspend fun collect(collector: FlowCollector<ChatSessionStreamChunk>): Unit =
        flow.collect(collector)

    private val flow = flow {
        coroutineScope {
            session.replying(coroutineContext.job) {
                val calls = ToolCalls(session.tools, this)
                val inbox = Inbox(calls::start)
                val stream = opening { reader.read(start(), inbox) }
                try {
                    calls.answerTo(stream)
                    cancelToken.onCancel { cancel(stream, calls) }
                    val folded = Folded()
                    // Not by catching: what the collector throws is none of the stream's errors.
                    while (true) {
                        val received = inbox.chunks.receiveCatching()
                        val chunk = received.getOrNull()
                        if (chunk == null) {
                            received.exceptionOrNull()?.let { emit(ChatSessionStreamChunk.Error(it as UzuException)) }
                            break
                        }
                        emit(decoded(chunk, folded))
                    }
                } finally {
                    calls.cancel()
                    closing(stream)
                    Reference.reachabilityFence(session)
                }
            }
        }
    }

    /** Waits for the end. The error that ended the reply is thrown. */
    suspend fun replies(): List<ChatReply> {
        var last: ChatSessionStreamChunk.Replies? = null
        collect { chunk ->
            when (chunk) {
                is ChatSessionStreamChunk.Replies -> last = chunk
                is ChatSessionStreamChunk.ToolResults -> {}
                is ChatSessionStreamChunk.Error -> throw chunk.error
            }
        }
        return last?.replies ?: listOf()
    }

    /** The reply's text, piece by piece. The error that ends the reply is thrown. */
    fun texts(): Flow<String> = mapNotNull { chunk ->
        when (chunk) {
            is ChatSessionStreamChunk.Replies -> chunk.delta.text.ifEmpty { null }
            is ChatSessionStreamChunk.ToolResults -> null
            is ChatSessionStreamChunk.Error -> throw chunk.error
        }
    }

    private fun decoded(chunk: JsonObject, folded: Folded): ChatSessionStreamChunk {
        val results = chunk["tool_results"]
        if (results != null) {
            return ChatSessionStreamChunk.ToolResults(results.jsonArray.map { toolCallResult(it.jsonObject) })
        }
        val delta = folded.delta(chunk)
        return ChatSessionStreamChunk.Replies(delta, folded.reply(chunk, delta))
    }

    private fun cancel(stream: Handle, calls: ToolCalls) {
        try {
            stream.run("stream_cancel")
        } catch (_: UzuException) {
            // closed already, with its engine perhaps
        }
        calls.cancel()
    }
}
