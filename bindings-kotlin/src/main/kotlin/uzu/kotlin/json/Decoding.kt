package uzu.kotlin.json

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.double
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.long
import uzu.kotlin.ChatContentBlock
import uzu.kotlin.ChatMessage
import uzu.kotlin.ChatReplySpeculatorStats
import uzu.kotlin.ChatReplyStats
import uzu.kotlin.ChatRole
import uzu.kotlin.DownloadPhase
import uzu.kotlin.DownloadState
import uzu.kotlin.DownloaderStreamUpdate
import uzu.kotlin.EngineEvent
import uzu.kotlin.EngineInfo
import uzu.kotlin.Model
import uzu.kotlin.ModelCapabilities
import uzu.kotlin.ModelFamily
import uzu.kotlin.ModelProperties
import uzu.kotlin.ModelQuantization
import uzu.kotlin.ModelRegistry
import uzu.kotlin.ModelVendor
import uzu.kotlin.TokenLogprob
import uzu.kotlin.ToolDeclaration
import uzu.kotlin.UzuException
import java.nio.file.Path

/** What the engine has written. */
internal fun parsed(text: String): JsonElement = Json.parseToJsonElement(text)

internal fun JsonObject.present(name: String): JsonElement? = get(name)?.takeIf { it !is JsonNull }

internal fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content

private fun JsonObject.textOrNull(name: String): String? = get(name)?.jsonPrimitive?.contentOrNull

private fun JsonObject.number(name: String): JsonPrimitive = getValue(name).jsonPrimitive

private fun JsonObject.numberOrNull(name: String): JsonPrimitive? = present(name)?.jsonPrimitive

internal inline fun <reified E : Enum<E>> named(wire: String): E = enumValues<E>().first { it.wire() == wire }

/** The exception that {code, message, details} describes. */
internal fun exception(error: JsonObject, cause: Throwable? = null): UzuException = UzuException.of(
    error.text("code"),
    error.text("message"),
    error["details"]?.jsonObject?.mapValues { it.value.jsonPrimitive.content } ?: mapOf(),
    cause,
)

internal fun vendor(json: JsonObject) = ModelVendor(json.text("identifier"), json.text("name"))

internal fun family(json: JsonObject) =
    ModelFamily(json.text("identifier"), json.text("name"), vendor(json.getValue("vendor").jsonObject))

internal fun registry(json: JsonObject) = ModelRegistry(json.text("identifier"), json.text("name"))

internal fun model(json: JsonObject) = Model(
    identifier = json.text("identifier"),
    name = json.text("name"),
    registry = registry(json.getValue("registry").jsonObject),
    backends = json.getValue("backends").jsonArray.map { it.jsonPrimitive.content },
    family = json.present("family")?.let { family(it.jsonObject) },
    properties = json.present("properties")?.jsonObject?.let {
        ModelProperties(it.text("size"), it.textOrNull("version"))
    },
    quantization = json.present("quantization")?.jsonObject?.let {
        ModelQuantization(it.text("method"), it.number("bits_per_weight").double)
    },
    specializations = json.getValue("specializations").jsonArray.map { named(it.jsonPrimitive.content) },
    accessibility = named(json.text("accessibility")),
    isDownloadable = json.getValue("is_downloadable").jsonPrimitive.boolean,
)

internal fun capabilities(json: JsonObject) = ModelCapabilities(
    json.number("chat").boolean,
    json.number("reasoning").boolean,
    named(json.text("tools")),
    json.number("context_length").int,
)

internal fun downloadState(json: JsonObject) = DownloadState(
    when (val phase = json.text("phase")) {
        "not_downloaded" -> DownloadPhase.NotDownloaded
        "downloading" -> DownloadPhase.Downloading
        "paused" -> DownloadPhase.Paused
        "downloaded" -> DownloadPhase.Downloaded
        "locked" -> DownloadPhase.Locked
        "error" -> DownloadPhase.Error(json.textOrNull("message") ?: "")
        else -> throw UzuException.Internal("A download is in an unknown phase, $phase")
    },
    json.number("bytes_total").long,
    json.number("bytes_downloaded").long,
    json.number("progress").double,
)

internal fun update(json: JsonObject) = DownloaderStreamUpdate(
    json.number("bytes_total").long,
    json.number("bytes_downloaded").long,
    json.number("progress").double,
)

internal fun info(json: JsonObject) = EngineInfo(
    matrixKernels = json.text("matrix_kernels"),
    rowKernels = json.text("row_kernels"),
    kernelLibrary = json.textOrNull("kernel_library")?.let(Path::of),
    threads = json.number("threads").int,
    weightBytes = json.number("weight_bytes").long,
    workingBytes = json.number("working_bytes").long,
)

internal fun event(json: JsonObject): EngineEvent = when (val type = json.text("type")) {
    "download" -> EngineEvent.Download(json.text("model"), downloadState(json.getValue("state").jsonObject))
    "model_loaded" ->
        EngineEvent.ModelLoaded(json.text("model"), Path.of(json.text("path")), json.number("weight_bytes").long)
    "model_unloaded" -> EngineEvent.ModelUnloaded(json.text("model"))
    else -> throw UzuException.Internal("An event is of unknown type, $type")
}

internal fun messages(text: String): List<ChatMessage> = parsed(text).jsonArray.map { message(it.jsonObject) }

internal fun message(json: JsonObject) =
    ChatMessage(role(json.text("role")), json.getValue("content").jsonArray.map { block(it.jsonObject) })

private fun role(name: String): ChatRole = when (name) {
    "user" -> ChatRole.User
    "assistant" -> ChatRole.Assistant
    "system" -> ChatRole.System
    "developer" -> ChatRole.Developer
    "tool" -> ChatRole.Tool
    else -> ChatRole.Custom(name)
}

private fun block(json: JsonObject): ChatContentBlock = when (val type = json.text("type")) {
    "text" -> ChatContentBlock.Text(json.text("text"))
    "reasoning" -> ChatContentBlock.Reasoning(json.text("text"))
    "reasoning_effort" -> ChatContentBlock.ReasoningEffort(named(json.text("effort")))
    "tool_call" ->
        ChatContentBlock.ToolCall(json.text("identifier"), json.text("name"), parsed(json.text("arguments")).jsonObject)
    "tool_call_candidate" -> ChatContentBlock.ToolCallCandidate(json.text("text"))
    "tool_call_result" -> toolCallResult(json)
    "tools" -> ChatContentBlock.Tools(json.getValue("tools").jsonArray.map { declaration(it.jsonObject) })
    "custom" -> ChatContentBlock.Custom(json.text("name"), parsed(json.text("value")))
    "image" -> ChatContentBlock.Image(json.text("source"))
    "audio" -> ChatContentBlock.Audio(json.text("source"))
    "video" -> ChatContentBlock.Video(json.text("source"))
    "file" -> ChatContentBlock.File(json.text("source"))
    else -> throw UzuException.Internal("A message has a block of unknown type, $type")
}

internal fun toolCallResult(json: JsonObject) =
    ChatContentBlock.ToolCallResult(json.text("identifier"), json.text("name"), parsed(json.text("value")))

private fun declaration(json: JsonObject) =
    ToolDeclaration(json.text("name"), json.text("description"), json.getValue("parameters").jsonObject)

internal fun stats(json: JsonObject) = ChatReplyStats(
    duration = json.number("duration").double,
    timeToFirstToken = json.numberOrNull("time_to_first_token")?.double,
    prefillTokensPerSecond = json.numberOrNull("prefill_tokens_per_second")?.double,
    generateTokensPerSecond = json.numberOrNull("generate_tokens_per_second")?.double,
    tokensCountInput = json.numberOrNull("tokens_count_input")?.int,
    tokensCountOutput = json.numberOrNull("tokens_count_output")?.int,
    tokensCountCached = json.numberOrNull("tokens_count_cached")?.int,
    tokensCount = json.number("tokens_count").int,
    memoryUsedBytes = json.numberOrNull("memory_used_bytes")?.long,
    speculatorStats = json.present("speculator_stats")?.let { speculatorStats(it.jsonObject) },
    // Seeds are 64 bits, written signed or unsigned.
    seed = json.numberOrNull("seed")?.content?.let { it.toLongOrNull() ?: it.toULong().toLong() },
)

private fun speculatorStats(json: JsonObject) = ChatReplySpeculatorStats(
    tokensPerForwardPass = json.number("tokens_per_forward_pass").double,
    numDecodeForwardPasses = json.number("num_decode_forward_passes").int,
    numTokensDrafted = json.number("num_tokens_drafted").int,
    numTokensAccepted = json.number("num_tokens_accepted").int,
    passesByAccepted = json.getValue("passes_by_accepted").jsonArray.map { it.jsonPrimitive.int },
    draftingSeconds = json.number("drafting_seconds").double,
    verifyingSeconds = json.number("verifying_seconds").double,
    samplingSeconds = json.number("sampling_seconds").double,
)

internal fun logprob(json: JsonObject): TokenLogprob = TokenLogprob(
    json.number("token").int,
    json.text("text"),
    json.number("logprob").double,
    json.getValue("alternatives").jsonArray.map { logprob(it.jsonObject) },
)
