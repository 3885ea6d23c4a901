@file:JvmName("Futures")

package uzu.kotlin

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.future.future
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonObject
import uzu.kotlin.json.parsed
import java.util.concurrent.CompletableFuture
import java.util.function.Consumer
import java.util.function.UnaryOperator

// The suspend functions for Java: a future that is cancelled cancels its call. What happens meanwhile is told on
// threads of the default dispatcher.

private fun <T> inFuture(call: suspend () -> T): CompletableFuture<T> =
    CoroutineScope(Dispatchers.Default).future { call() }

fun createEngine(config: EngineConfig): CompletableFuture<Engine> = inFuture { Engine.create(config) }

/** Null when there is none. */
fun model(engine: Engine, identifier: String): CompletableFuture<Model?> = inFuture { engine.model(identifier) }

fun models(engine: Engine): CompletableFuture<List<Model>> = inFuture { engine.models() }

fun downloadState(engine: Engine, model: Model): CompletableFuture<DownloadState?> =
    inFuture { engine.downloadState(model) }

/** Done when the model is in place. */
fun download(engine: Engine, model: Model, onUpdate: Consumer<DownloaderStreamUpdate>): CompletableFuture<Unit> =
    inFuture { engine.download(model).collect { onUpdate.accept(it) } }

fun chat(engine: Engine, model: Model, config: ChatConfig): CompletableFuture<ChatSession> =
    inFuture { engine.chat(model, config) }

fun chatInstance(engine: Engine, model: Model, config: ChatConfig): CompletableFuture<ChatInstance> =
    inFuture { engine.chatInstance(model, config) }

fun chatWithInstance(engine: Engine, instance: ChatInstance): CompletableFuture<ChatSession> =
    inFuture { engine.chatWithInstance(instance) }

fun complete(engine: Engine, model: Model, text: String, config: ChatReplyConfig): CompletableFuture<Completion> =
    inFuture { engine.complete(model, text, config) }

fun reply(session: ChatSession, input: List<ChatMessage>, config: ChatReplyConfig): CompletableFuture<List<ChatReply>> =
    inFuture { session.reply(input, config) }

/** As above, with each chunk as it comes. A chunk that is an error fails the future. */
fun reply(
    session: ChatSession,
    input: List<ChatMessage>,
    config: ChatReplyConfig,
    onChunk: Consumer<ChatSessionStreamChunk>,
): CompletableFuture<List<ChatReply>> = inFuture {
    var last: ChatSessionStreamChunk.Replies? = null
    session.replyWithStream(input, config).collect { chunk ->
        onChunk.accept(chunk)
        when (chunk) {
            is ChatSessionStreamChunk.Replies -> last = chunk
            is ChatSessionStreamChunk.ToolResults -> {}
            is ChatSessionStreamChunk.Error -> throw chunk.error
        }
    }
    last?.replies ?: listOf()
}

fun messages(session: ChatSession): CompletableFuture<List<ChatMessage>> = inFuture { session.messages() }

/**
 * Adds a tool.
 *
 * @param parameters the JSON schema of an object that holds its arguments
 * @param handler from the arguments, a JSON object as text, to a JSON value as text
 */
fun addTool(
    session: ChatSession,
    name: String,
    description: String,
    parameters: String,
    handler: UnaryOperator<String>,
): CompletableFuture<Unit> = inFuture {
    val declaration = ToolDeclaration(name, description, parsed(parameters).jsonObject)
    session.addTool(ToolFunction(declaration) { arguments: JsonObject -> parsed(handler.apply(arguments.toString())) })
}
