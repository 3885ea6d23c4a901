package uzu.kotlin.json

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import uzu.kotlin.ChatContentBlock
import uzu.kotlin.ChatMessage
import uzu.kotlin.ChatReply
import uzu.kotlin.ChatReplyDelta
import uzu.kotlin.ChatReplyFinishReason
import uzu.kotlin.Completion
import uzu.kotlin.TokenLogprob

/** A reply put together from the deltas that a stream hands out; a new one after each turn of tool calls. */
internal class Folded {
    private var text = GrowingText()
    private var reasoning = GrowingText()
    private var calls = listOf<Call>()
    private var logprobs = listOf<TokenLogprob>()

    private class Call(val identifier: String, val name: String, val arguments: String)

    fun delta(chunk: JsonObject): ChatReplyDelta = ChatReplyDelta(
        chunk.text("text"),
        chunk["reasoning"]?.jsonPrimitive?.content ?: "",
        chunk["tool_calls"]?.jsonArray?.map { call ->
            val json = call.jsonObject
            ChatReplyDelta.ToolCallDelta(
                json.getValue("index").jsonPrimitive.int,
                json.text("identifier"),
                json.text("name"),
                json.text("arguments"),
            )
        } ?: listOf(),
    )

    /** The reply with the delta added. It is put together when it is first asked for: many only look at deltas. */
    fun reply(chunk: JsonObject, delta: ChatReplyDelta): Lazy<ChatReply> {
        append(delta, chunk)
        val whole = chunk.present("message")?.jsonObject
        val textNow = text.now()
        val reasoningNow = reasoning.now()
        val callsNow = calls
        val logprobsNow = logprobs
        if (whole != null) {
            startAnew()
        }
        return lazy {
            ChatReply(
                if (whole == null) soFar(textNow(), reasoningNow(), callsNow) else message(whole),
                stats(chunk.getValue("stats").jsonObject),
                finishReason(chunk),
                chunk["unenforced"]?.jsonArray?.map { it.jsonPrimitive.content } ?: listOf(),
                logprobsNow,
            )
        }
    }

    fun completion(chunk: JsonObject): Completion {
        append(delta(chunk), chunk)
        return Completion(text.now()(), stats(chunk.getValue("stats").jsonObject), finishReason(chunk), logprobs)
    }

    private fun startAnew() {
        text = GrowingText()
        reasoning = GrowingText()
        calls = listOf()
        logprobs = listOf()
    }

    private fun append(delta: ChatReplyDelta, chunk: JsonObject) {
        text.append(delta.text)
        reasoning.append(delta.reasoning)
        for (call in delta.toolCalls) {
            val known = calls.getOrNull(call.index)
            val name = (known?.name ?: "") + call.name
            val arguments = (known?.arguments ?: "") + call.arguments
            calls = calls.take(call.index) + Call(call.identifier, name, arguments) + calls.drop(call.index + 1)
        }
        chunk["logprobs"]?.jsonArray?.let { more -> logprobs = logprobs + more.map { logprob(it.jsonObject) } }
    }

    private fun soFar(text: String, reasoning: String, calls: List<Call>): ChatMessage {
        var message = ChatMessage.assistant()
        if (reasoning.isNotEmpty()) {
            message = message.withReasoning(reasoning)
        }
        if (text.isNotEmpty()) {
            message = message.withText(text)
        }
        return calls.fold(message) { whole, call -> whole.withBlock(soFar(call)) }
    }

    private fun soFar(call: Call): ChatContentBlock {
        val arguments = try {
            parsed(call.arguments) as? JsonObject
        } catch (_: SerializationException) {
            null
        }
        return if (arguments == null) {
            ChatContentBlock.ToolCallCandidate("${call.name} ${call.arguments}")
        } else {
            ChatContentBlock.ToolCall(call.identifier, call.name, arguments)
        }
    }

    private fun finishReason(chunk: JsonObject): ChatReplyFinishReason? =
        chunk["finish_reason"]?.jsonPrimitive?.contentOrNull?.let { named<ChatReplyFinishReason>(it) }
}

/** A text that only grows, so that what it is now can be had later without a copy now. */
private class GrowingText {
    private var letters = CharArray(256)
    private var length = 0

    fun append(text: String) {
        if (length + text.length > letters.size) {
            // What was handed out keeps the old array.
            letters = letters.copyOf(maxOf(2 * letters.size, length + text.length))
        }
        text.toCharArray(letters, length)
        length += text.length
    }

    fun now(): () -> String {
        val lettersNow = letters
        val lengthNow = length
        return { String(lettersNow, 0, lengthNow) }
    }
}
