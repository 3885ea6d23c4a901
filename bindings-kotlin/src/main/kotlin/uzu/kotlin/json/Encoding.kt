package uzu.kotlin.json

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.add
import kotlinx.serialization.json.addJsonObject
import kotlinx.serialization.json.buildJsonArray
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import kotlinx.serialization.json.putJsonObject
import uzu.kotlin.ChatConfig
import uzu.kotlin.ChatContentBlock
import uzu.kotlin.ChatDrafter
import uzu.kotlin.ChatMessage
import uzu.kotlin.ChatReplyConfig
import uzu.kotlin.ChatRole
import uzu.kotlin.ChatSpeculationPreset
import uzu.kotlin.ContextLength
import uzu.kotlin.EngineConfig
import uzu.kotlin.Grammar
import uzu.kotlin.SamplingMethod
import uzu.kotlin.SamplingPolicy
import uzu.kotlin.SamplingSeed
import uzu.kotlin.ToolChoice
import uzu.kotlin.ToolDeclaration
import uzu.kotlin.UzuException

/** `ContextLimitReached` as `context_limit_reached`. */
internal fun Enum<*>.wire(): String = name.replace(Regex("(?<=[a-z0-9])(?=[A-Z])"), "_").lowercase()

internal fun json(config: EngineConfig): String = buildJsonObject {
    put("local_path", config.localPath?.toString())
    put("cache_path", config.cachePath?.toString())
    put("precision", config.precision.wire())
    put("backend", config.backend.wire())
    put("threads", config.threads)
    put("offline", config.offline)
}.toString()

internal fun json(config: ChatConfig): String = buildJsonObject {
    when (val length = config.contextLength) {
        ContextLength.Default -> put("context_length", "default")
        ContextLength.Maximal -> put("context_length", "maximal")
        is ContextLength.Custom -> put("context_length", length.length)
    }
    when (val seed = config.samplingSeed) {
        SamplingSeed.Default -> put("sampling_seed", "default")
        is SamplingSeed.Custom -> put("sampling_seed", seed.seed)
    }
    put("speculation_preset", preset(config.speculationPreset))
    put("kv_cache", config.kvCache.wire())
    put("message_format", config.messageFormat)
}.toString()

private fun preset(preset: ChatSpeculationPreset): JsonElement = when (preset) {
    ChatSpeculationPreset.Auto -> JsonPrimitive("auto")
    ChatSpeculationPreset.Off -> JsonPrimitive("off")
    ChatSpeculationPreset.GeneralChat -> JsonPrimitive("general_chat")
    ChatSpeculationPreset.Summarization -> JsonPrimitive("summarization")
    is ChatSpeculationPreset.Classification -> buildJsonObject {
        put("type", "classification")
        putJsonObject("feature") {
            put("name", preset.feature.name)
            put("values", strings(preset.feature.values))
        }
    }
    is ChatSpeculationPreset.Custom -> buildJsonObject {
        put("type", "custom")
        putJsonArray("drafters") { preset.drafters.forEach { add(drafter(it)) } }
        put("max_nodes", preset.maxNodes)
        put("verifier", preset.verifier.wire())
    }
}

private fun drafter(drafter: ChatDrafter): JsonElement = when (drafter) {
    ChatDrafter.Lookup -> JsonPrimitive("lookup")
    ChatDrafter.Recall -> JsonPrimitive("recall")
    ChatDrafter.Tables -> JsonPrimitive("tables")
    ChatDrafter.Network -> JsonPrimitive("network")
    is ChatDrafter.DraftModel -> buildJsonObject {
        put("type", "draft_model")
        put("identifier", drafter.identifier)
    }
}

internal fun json(config: ChatReplyConfig): String = buildJsonObject {
    put("token_limit", config.tokenLimit)
    when (val policy = config.samplingPolicy) {
        SamplingPolicy.Default -> put("sampling", "default")
        is SamplingPolicy.Custom -> put("sampling", sampling(policy.method))
    }
    put("grammar", config.grammar?.let(::grammar) ?: JsonNull)
    put("lenient", config.lenient)
    put("tool_choice", toolChoice(config.toolChoice))
    put("parallel_tool_calls", config.parallelToolCalls)
    put("tool_turn_limit", config.toolTurnLimit)
    put("reasoning_token_limit", config.reasoningTokenLimit)
    put("stop", strings(config.stop))
    put("seed", config.seed)
    put("logprobs", config.logprobs)
}.toString()

private fun sampling(method: SamplingMethod): JsonObject = buildJsonObject {
    when (method) {
        SamplingMethod.Greedy -> put("method", "greedy")
        is SamplingMethod.Stochastic -> {
            put("method", "stochastic")
            putFinite("temperature", method.temperature)
            put("top_k", method.topK)
            putFinite("top_p", method.topP)
            putFinite("min_p", method.minP)
            putFinite("repetition_penalty", method.repetitionPenalty)
            put("suffix_repetition_length", method.suffixRepetitionLength)
            putFinite("presence_penalty", method.presencePenalty)
            putFinite("frequency_penalty", method.frequencyPenalty)
            method.logitBias?.let { biases ->
                putJsonObject("logit_bias") {
                    biases.forEach { (token, bias) -> putFinite("$token", bias, "logit_bias") }
                }
            }
        }
    }
}

/** JSON has no infinity. */
private fun JsonObjectBuilder.putFinite(name: String, number: Double?, field: String = name) {
    if (number != null && !number.isFinite()) {
        throw UzuException.InvalidArgument("$field must be finite, not $number", mapOf("field" to field))
    }
    put(name, number)
}

private fun grammar(grammar: Grammar): JsonElement = when (grammar) {
    Grammar.JsonAny -> JsonPrimitive("json_any")
    is Grammar.JsonSchema -> buildJsonObject {
        put("type", "json_schema")
        put("schema", grammar.schema)
        put("property_order", grammar.propertyOrder.wire())
    }
    is Grammar.Regex -> buildJsonObject {
        put("type", "regex")
        put("pattern", grammar.pattern)
    }
    is Grammar.Ebnf -> buildJsonObject {
        put("type", "ebnf")
        put("text", grammar.text)
    }
    is Grammar.Choice -> buildJsonObject {
        put("type", "choice")
        put("values", strings(grammar.values))
    }
}

private fun toolChoice(choice: ToolChoice): JsonElement = when (choice) {
    ToolChoice.Auto -> JsonPrimitive("auto")
    ToolChoice.None -> JsonPrimitive("none")
    ToolChoice.Required -> JsonPrimitive("required")
    is ToolChoice.Named -> buildJsonObject { put("name", choice.name) }
}

internal fun json(messages: List<ChatMessage>): String =
    buildJsonArray { messages.forEach { add(message(it)) } }.toString()

private fun message(message: ChatMessage): JsonObject = buildJsonObject {
    put("role", role(message.role))
    putJsonArray("content") { message.content.forEach { add(block(it)) } }
}

private fun role(role: ChatRole): String = when (role) {
    ChatRole.User -> "user"
    ChatRole.Assistant -> "assistant"
    ChatRole.System -> "system"
    ChatRole.Developer -> "developer"
    ChatRole.Tool -> "tool"
    is ChatRole.Custom -> role.name
}

private fun block(block: ChatContentBlock): JsonObject = buildJsonObject {
    fun media(type: String, url: String) {
        put("type", type)
        put("source", url)
    }
    when (block) {
        is ChatContentBlock.Text -> {
            put("type", "text")
            put("text", block.value)
        }
        is ChatContentBlock.Reasoning -> {
            put("type", "reasoning")
            put("text", block.value)
        }
        is ChatContentBlock.ReasoningEffort -> {
            put("type", "reasoning_effort")
            put("effort", block.value.wire())
        }
        is ChatContentBlock.ToolCall -> {
            put("type", "tool_call")
            put("identifier", block.identifier)
            put("name", block.name)
            put("arguments", block.arguments.toString())
        }
        is ChatContentBlock.ToolCallCandidate -> {
            put("type", "tool_call_candidate")
            put("text", block.text)
        }
        is ChatContentBlock.ToolCallResult -> {
            put("type", "tool_call_result")
            put("identifier", block.identifier)
            put("name", block.name)
            put("value", block.value.toString())
        }
        is ChatContentBlock.Tools -> {
            put("type", "tools")
            putJsonArray("tools") { block.tools.forEach { add(declaration(it)) } }
        }
        is ChatContentBlock.Custom -> {
            put("type", "custom")
            put("name", block.name)
            put("value", block.value.toString())
        }
        is ChatContentBlock.Image -> media("image", block.url)
        is ChatContentBlock.Audio -> media("audio", block.url)
        is ChatContentBlock.Video -> media("video", block.url)
        is ChatContentBlock.File -> media("file", block.url)
    }
}

internal fun declaration(tool: ToolDeclaration): JsonObject = buildJsonObject {
    put("name", tool.name)
    put("description", tool.description)
    put("parameters", tool.parameters)
}

/** The answer to one call of a tool: its value, or the error that the model is told. */
internal fun toolResult(identifier: String, value: JsonElement?, error: String?): String = buildJsonArray {
    addJsonObject {
        put("identifier", identifier)
        if (error == null) put("value", value ?: JsonNull) else put("error", error)
    }
}.toString()

private fun strings(texts: List<String>): JsonArray = buildJsonArray { texts.forEach { add(it) } }
