package uzu.kotlin

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import uzu.kotlin.ReasoningEffort as Effort

/** Who a message is from. */
sealed class ChatRole {
    data object User : ChatRole()

    data object Assistant : ChatRole()

    data object System : ChatRole()

    data object Developer : ChatRole()

    data object Tool : ChatRole()

    /** A role that only this model's template knows. */
    data class Custom(val name: String) : ChatRole()
}

/** A part of a message. A block that the model can't take is an error that says so. */
sealed class ChatContentBlock {
    data class Text(val value: String) : ChatContentBlock()

    /** What the model thought before it answered. */
    data class Reasoning(val value: String) : ChatContentBlock()

    /** The effort asked for from this message on. */
    data class ReasoningEffort(val value: Effort) : ChatContentBlock()

    /** A call that the model makes; its result refers to the identifier. */
    data class ToolCall(val identifier: String, val name: String, val arguments: JsonObject) : ChatContentBlock()

    /** What began as a call and isn't one: unfinished yet, cut short or malformed. */
    data class ToolCallCandidate(val text: String) : ChatContentBlock()

    /** What a call came to: a JSON value, `{"error": …}` when it failed. The identifier is the call's. */
    data class ToolCallResult(val identifier: String, val name: String, val value: JsonElement) : ChatContentBlock()

    /** Tools that the caller runs itself: a reply that calls one ends with [ChatReplyFinishReason.ToolCalls]. */
    data class Tools(val tools: List<ToolDeclaration>) : ChatContentBlock()

    /** A field of the message that only this model's template knows, and its JSON value. */
    data class Custom(val name: String, val value: JsonElement) : ChatContentBlock()

    /** A picture, by path, URL or data URL. */
    data class Image(val url: String) : ChatContentBlock()

    /** A sound, by path, URL or data URL. */
    data class Audio(val url: String) : ChatContentBlock()

    /** A film, by path, URL or data URL. */
    data class Video(val url: String) : ChatContentBlock()

    /** A document, by path, URL or data URL. */
    data class File(val url: String) : ChatContentBlock()
}
