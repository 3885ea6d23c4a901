package uzu.kotlin

import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.last
import kotlinx.coroutines.launch
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put
import uzu.kotlin.json.capabilities
import uzu.kotlin.json.downloadState
import uzu.kotlin.json.event
import uzu.kotlin.json.family
import uzu.kotlin.json.info
import uzu.kotlin.json.json
import uzu.kotlin.json.model
import uzu.kotlin.json.parsed
import uzu.kotlin.json.registry
import uzu.kotlin.json.update
import uzu.kotlin.json.vendor
import uzu.kotlin.transport.Handle
import uzu.kotlin.transport.Inbox
import uzu.kotlin.transport.StreamReader
import uzu.kotlin.transport.Transport
import uzu.kotlin.transport.Transports
import uzu.kotlin.transport.closing
import uzu.kotlin.transport.opening
import uzu.kotlin.transport.waiting
import java.lang.ref.Reference
import java.nio.file.Path

/**
 * Models found, fetched, loaded and talked to. Any thread may call; every failure is a [UzuException]. Engines,
 * instances and sessions free what they hold when they are closed, or collected.
 */
class Engine private constructor(private val handle: Handle, private val reader: StreamReader) : AutoCloseable {
    /** What the engine computes with, and the memory that it holds now. */
    suspend fun info(): EngineInfo = info(parse("engine_info").jsonObject)

    /**
     * What happens in the engine while it is collected, whoever causes it; ends when the engine is closed. A slow
     * collector gets the last step of a download for all before.
     */
    fun events(): Flow<EngineEvent> = flow {
        val inbox = Inbox()
        val stream = opening { reader.read(handle.number("engine_events"), inbox) }
        try {
            while (true) {
                emit(event(inbox.chunks.receiveCatching().getOrNull() ?: break))
            }
        } finally {
            closing(stream)
            Reference.reachabilityFence(this@Engine)
        }
    }

    /**
     * Calls back with the [events] from now on, one after the other, on a thread of the default dispatcher, until the
     * result or the engine is closed.
     */
    suspend fun registerCallback(callback: (EngineEvent) -> Unit): AutoCloseable {
        val inbox = Inbox()
        val stream = opening { reader.read(handle.number("engine_events"), inbox) }
        val calls = CoroutineScope(Dispatchers.Default + CoroutineName("uzu events")).launch {
            try {
                while (true) {
                    callback(event(inbox.chunks.receiveCatching().getOrNull() ?: break))
                }
            } finally {
                closing(stream)
            }
        }
        return AutoCloseable { calls.cancel() }
    }

    /** The model for an identifier, a shorthand (family, family:size), a repository id or a local path; else null. */
    suspend fun model(identifier: String): Model? =
        parse("engine_model", identifier).let { if (it is JsonNull) null else model(it.jsonObject) }

    /** Every known model. */
    suspend fun models(): List<Model> = models("all")

    /** Those that run on this machine. */
    suspend fun modelsLocal(): List<Model> = models("local")

    /** Those that run elsewhere. */
    suspend fun modelsRemote(): List<Model> = models("remote")

    suspend fun modelsDownloadable(): List<Model> = models("downloadable")

    suspend fun modelsForChat(): List<Model> = models("chat")

    suspend fun modelsByVendor(vendorIdentifier: String): List<Model> = models("all", "vendor", vendorIdentifier)

    suspend fun modelsByVendor(vendor: ModelVendor): List<Model> = modelsByVendor(vendor.identifier)

    suspend fun modelsByFamily(familyIdentifier: String): List<Model> = models("all", "family", familyIdentifier)

    suspend fun modelsByFamily(family: ModelFamily): List<Model> = modelsByFamily(family.identifier)

    suspend fun modelVendors(): List<ModelVendor> = list("engine_vendors", ::vendor)

    suspend fun modelFamilies(): List<ModelFamily> = list("engine_families", ::family)

    suspend fun modelRegistries(): List<ModelRegistry> = list("engine_registries", ::registry)

    /** Where the model's file or folder lies; null while it isn't downloaded. */
    suspend fun modelPath(model: Model): Path? = parse("engine_model_path", model.identifier)
        .let { if (it is JsonNull) null else Path.of(it.jsonPrimitive.content) }

    /** What the model can do. It must be on this machine. */
    suspend fun capabilities(model: Model): ModelCapabilities =
        capabilities(parse("engine_capabilities", model.identifier).jsonObject)

    /** How many tokens the text has for this model. */
    suspend fun countTokens(model: Model, text: String): Int =
        waiting { handle.number("engine_count_tokens", model.identifier, text) }.toInt()

    /**
     * Downloads the model when it is collected: updates until all is in place, none when nothing is to do. A failure is
     * thrown. Leaving the flow doesn't stop the download; [Downloader.pause] does.
     */
    fun download(model: Model): Flow<DownloaderStreamUpdate> = updates("download_start", model)

    fun downloader(model: Model): Downloader = Downloader(this, model)

    /** Null for a model that isn't downloadable. */
    suspend fun downloadState(model: Model): DownloadState? = parse("download_state", model.identifier)
        .let { if (it is JsonNull) null else downloadState(it.jsonObject) }

    /** The states of all downloadable models, by their identifiers. */
    suspend fun downloadStates(): Map<String, DownloadState> =
        parse("download_states").jsonObject.mapValues { downloadState(it.value.jsonObject) }

    /** A conversation on weights of its own. Suspends while the model loads. */
    suspend fun chat(model: Model, config: ChatConfig = ChatConfig.create()): ChatSession =
        opening { ChatSession(this, reader, handle.open("engine_chat", model.identifier, json(config))) }

    /** As above: `chat(model) { kvCache = KvCache.Q8 }`. */
    suspend fun chat(model: Model, configure: ChatConfig.Builder.() -> Unit): ChatSession =
        chat(model, chatConfig(configure))

    /** Weights that several sessions share, loaded once. */
    suspend fun chatInstance(model: Model, config: ChatConfig = ChatConfig.create()): ChatInstance =
        opening { ChatInstance(this, handle.open("engine_instance", model.identifier, json(config))) }

    /** As above: `chatInstance(model) { kvCache = KvCache.Q8 }`. */
    suspend fun chatInstance(model: Model, configure: ChatConfig.Builder.() -> Unit): ChatInstance =
        chatInstance(model, chatConfig(configure))

    /** A conversation on an instance; those of one instance reply at the same time. */
    suspend fun chatWithInstance(instance: ChatInstance): ChatSession =
        opening { ChatSession(instance, reader, instance.handle.open("instance_chat")) }

    /** Continues raw text, without a chat template. Cancelling the coroutine cancels it. */
    suspend fun complete(
        model: Model,
        text: String,
        config: ChatReplyConfig = ChatReplyConfig.create(),
    ): Completion = completeWithStream(model, text, config).last()

    /** As above: `complete(model, text) { tokenLimit = 256 }`. */
    suspend fun complete(model: Model, text: String, configure: ChatReplyConfig.Builder.() -> Unit): Completion =
        complete(model, text, replyConfig(configure))

    /** As [complete], while it is made: a cold flow. */
    @JvmOverloads
    fun completeWithStream(
        model: Model,
        text: String,
        config: ChatReplyConfig = ChatReplyConfig.create(),
    ): CompletionStream {
        val settings = json(config)
        return CompletionStream(this, reader) { handle.number("engine_complete", model.identifier, text, settings) }
    }

    /** As above: `completeWithStream(model, text) { tokenLimit = 256 }`. */
    fun completeWithStream(
        model: Model,
        text: String,
        configure: ChatReplyConfig.Builder.() -> Unit,
    ): CompletionStream = completeWithStream(model, text, replyConfig(configure))

    /** Ends running replies with [UzuException.Closed] and frees everything. Nothing happens the second time. */
    override fun close() {
        handle.close()
        reader.close()
    }

    internal suspend fun run(function: String, model: Model): Unit =
        waiting { handle.run(function, model.identifier) }

    internal fun updates(function: String, model: Model): Flow<DownloaderStreamUpdate> = flow {
        val inbox = Inbox()
        val stream = opening { reader.read(handle.number(function, model.identifier), inbox) }
        try {
            for (chunk in inbox.chunks) {
                emit(update(chunk))
            }
        } finally {
            closing(stream)
            Reference.reachabilityFence(this@Engine)
        }
    }

    private suspend fun models(kind: String, filter: String? = null, value: String? = null): List<Model> {
        val query = buildJsonObject {
            put("kind", kind)
            filter?.let { put(it, value) }
        }
        return parse("engine_models", query.toString()).jsonArray.map { model(it.jsonObject) }
    }

    private suspend fun <T> list(function: String, decode: (JsonObject) -> T): List<T> =
        parse(function).jsonArray.map { decode(it.jsonObject) }

    private suspend fun parse(function: String, vararg texts: String): JsonElement =
        parsed(waiting { handle.text(function, *texts) })

    companion object {
        /** An engine. No connection is opened, and nothing loaded. */
        suspend fun create(config: EngineConfig = EngineConfig.create()): Engine =
            opening { open(Transports.ofProcess, config) }

        /** As above: `Engine.create { threads = 2 }`. */
        suspend fun create(configure: EngineConfig.Builder.() -> Unit): Engine = create(engineConfig(configure))

        internal fun open(transport: Transport, config: EngineConfig): Engine {
            val handle = Handle(transport, transport.number("engine_create", 0, json(config)))
            return Engine(handle, StreamReader(transport))
        }
    }
}
