package uzu.kotlin

import kotlinx.coroutines.Job
import kotlinx.serialization.json.jsonPrimitive
import uzu.kotlin.json.declaration
import uzu.kotlin.json.json
import uzu.kotlin.json.messages
import uzu.kotlin.json.named
import uzu.kotlin.json.parsed
import uzu.kotlin.transport.Handle
import uzu.kotlin.transport.StreamReader
import uzu.kotlin.transport.opening
import uzu.kotlin.transport.waiting
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/**
 * A conversation. It keeps its history: each input holds only the new messages. One reply at a time; a second one
 * meanwhile is a [UzuException.InvalidState].
 */
class ChatSession internal constructor(
    /** What must not be collected while this session lives. */
    private val source: AutoCloseable,
    private val reader: StreamReader,
    private val handle: Handle,
    tools: Map<String, ToolFunction> = mapOf(),
) : AutoCloseable {
    internal val tools = ConcurrentHashMap(tools)
    private val replies = ConcurrentHashMap.newKeySet<Job>()

    suspend fun state(): ChatSessionState =
        named(parsed(waiting { handle.text("session_state") }).jsonPrimitive.content)

    /** The conversation so far, finished replies included. */
    suspend fun messages(): List<ChatMessage> = messages(waiting { handle.text("session_messages") })

    /** Replaces the conversation. What it has in common with the old one isn't computed again. */
    suspend fun setMessages(messages: List<ChatMessage>): Unit =
        waiting { handle.run("session_set_messages", json(messages)) }

    /** Whether the model can be told of tools. */
    suspend fun supportsToolCalls(): Boolean = waiting { handle.number("session_supports_tool_calls") } == 1L

    /**
     * From the next reply on the model is told of the tool, and its calls are answered by it. A reply that calls any
     * tool that isn't added ends with [ChatReplyFinishReason.ToolCalls]; the next input then begins with the results.
     */
    suspend fun addTool(tool: ToolFunction) {
        waiting { handle.run("session_add_tool", declaration(tool.declaration).toString()) }
        tools[tool.name] = tool
    }

    suspend fun addTools(tools: Iterable<ToolFunction>): Unit = tools.forEach { addTool(it) }

    suspend fun addTools(vararg tools: ToolFunction): Unit = addTools(tools.asIterable())

    /** Most tokens of this conversation. */
    suspend fun contextLength(): Int = waiting { handle.number("session_context_length") }.toInt()

    /** Forgets the conversation. */
    suspend fun reset(): Unit = waiting { handle.run("session_reset") }

    /**
     * A second session with the same conversation and tools, which goes its own way from here. What was computed is
     * shared. A [UzuException.InvalidState] while a reply is made, as for [save] and [restore].
     */
    suspend fun fork(): ChatSession = opening { ChatSession(source, reader, handle.open("session_fork"), tools) }

    /** Writes the conversation to a file, in place of one that is there. Tools are code and not saved. */
    suspend fun save(path: Path): Unit = waiting { handle.run("session_save", path.toString()) }

    /** Goes on with a conversation that [save] wrote, in place of this one, with this session's model and tools. */
    suspend fun restore(path: Path): Unit = waiting { handle.run("session_restore", path.toString()) }

    /** The model's answer to the conversation with the input added. Cancelling the coroutine cancels the reply. */
    suspend fun reply(
        input: List<ChatMessage>,
        config: ChatReplyConfig = ChatReplyConfig.create(),
    ): List<ChatReply> = replyWithStream(input, config).replies()

    /** As above: `reply(input) { tokenLimit = 256 }`. */
    suspend fun reply(input: List<ChatMessage>, configure: ChatReplyConfig.Builder.() -> Unit): List<ChatReply> =
        reply(input, replyConfig(configure))

    /** As [reply], while it is made: a cold flow, which asks for the reply when it is collected. */
    @JvmOverloads
    fun replyWithStream(
        input: List<ChatMessage>,
        config: ChatReplyConfig = ChatReplyConfig.create(),
    ): ChatSessionStream {
        val messages = json(input)
        val settings = json(config)
        return ChatSessionStream(this, reader) { handle.number("session_reply", messages, settings) }
    }

    /** As above: `replyWithStream(input) { tokenLimit = 256 }`. */
    fun replyWithStream(
        input: List<ChatMessage>,
        configure: ChatReplyConfig.Builder.() -> Unit,
    ): ChatSessionStream = replyWithStream(input, replyConfig(configure))

    /** Makes a reply; one that was cancelled before ends first, as what cancels it may still be on its way. */
    internal suspend fun replying(reply: Job, make: suspend () -> Unit) {
        replies.filter { it.isCancelled }.forEach { it.join() }
        replies.add(reply)
        try {
            make()
        } finally {
            replies.remove(reply)
        }
    }

    /** Cancels a running reply and frees the session. */
    override fun close(): Unit = handle.close()
}
