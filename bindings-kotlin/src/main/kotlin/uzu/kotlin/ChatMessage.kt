package uzu.kotlin

import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.serializer
import uzu.kotlin.json.partialJson
import uzu.kotlin.json.partialValue
import uzu.kotlin.json.value

/** One message. Immutable: the `with` methods return a copy with one block more. */
data class ChatMessage @JvmOverloads constructor(val role: ChatRole, val content: List<ChatContentBlock> = listOf()) {
    fun withBlock(block: ChatContentBlock) = copy(content = content + block)

    fun withText(text: String) = withBlock(ChatContentBlock.Text(text))

    fun withReasoning(reasoning: String) = withBlock(ChatContentBlock.Reasoning(reasoning))

    fun withReasoningEffort(effort: ReasoningEffort) = withBlock(ChatContentBlock.ReasoningEffort(effort))

    fun withToolCall(toolCall: ChatContentBlock.ToolCall) = withBlock(toolCall)

    /** All text blocks joined; null when there is none. */
    val text: String?
        get() = content.filterIsInstance<ChatContentBlock.Text>().joinedOrNull { it.value }

    /** All reasoning blocks joined; null when there is none. */
    val reasoning: String?
        get() = content.filterIsInstance<ChatContentBlock.Reasoning>().joinedOrNull { it.value }

    /** The calls that the model makes, in order. */
    val toolCalls: List<ChatContentBlock.ToolCall>
        get() = content.filterIsInstance<ChatContentBlock.ToolCall>()

    /** The last effort asked for. */
    val reasoningEffort: ReasoningEffort?
        get() = content.filterIsInstance<ChatContentBlock.ReasoningEffort>().lastOrNull()?.value

    /**
     * The text, which is JSON, as a value of the type: what [Grammar.fromType] held it to. Null without a text.
     *
     * @throws UzuException.InvalidArgument that says what doesn't fit, and where
     */
    inline fun <reified T> textDecoded(): T? = textDecoded(serializer<T>())

    fun <T> textDecoded(type: DeserializationStrategy<T>): T? = text?.let { value(it, type) }

    /** What there is of the text, which is JSON, while it is being made; null at first. */
    fun textDecodedPartially(): JsonElement? = text?.let(::partialJson)

    /** As a value of the type, once there is enough for one: properties with defaults, or nullable, may be missing. */
    inline fun <reified T> textDecodedPartially(): T? = textDecodedPartially(serializer<T>())

    fun <T> textDecodedPartially(type: DeserializationStrategy<T>): T? = text?.let { partialValue(it, type) }

    companion object {
        @JvmStatic
        fun system() = forRole(ChatRole.System)

        @JvmStatic
        fun developer() = forRole(ChatRole.Developer)

        @JvmStatic
        fun user() = forRole(ChatRole.User)

        @JvmStatic
        fun assistant() = forRole(ChatRole.Assistant)

        @JvmStatic
        fun tool() = forRole(ChatRole.Tool)

        @JvmStatic
        fun forRole(role: ChatRole) = ChatMessage(role)
    }
}

private fun <T> List<T>.joinedOrNull(text: (T) -> String): String? =
    if (isEmpty()) null else joinToString("", transform = text)
