package uzu.kotlin

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.launch
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.jsonObject
import uzu.kotlin.json.parsed
import uzu.kotlin.json.text
import uzu.kotlin.json.toolResult
import uzu.kotlin.transport.Handle
import uzu.kotlin.transport.waiting

/** Runs what one reply calls, in the scope of its collector, and answers the engine. */
internal class ToolCalls(private val tools: Map<String, ToolFunction>, private val scope: CoroutineScope) {
    private val stream = CompletableDeferred<Handle>()

    fun answerTo(stream: Handle) {
        this.stream.complete(stream)
    }

    /** Starts the calls and returns; on any thread. */
    fun start(calls: JsonArray) {
        for (call in calls.map { it.jsonObject }) {
            val name = call.text("name")
            scope.launch(CoroutineName("uzu tool $name")) {
                val result = answer(call.text("identifier"), name, call.text("arguments"))
                val answered = stream.await()
                try {
                    waiting { answered.run("stream_tool_results", result) }
                } catch (_: UzuException) {
                    // the stream was closed meanwhile
                }
            }
        }
    }

    /** Cancels what still runs; on any thread. */
    fun cancel(): Unit = scope.coroutineContext.cancelChildren()

    private suspend fun answer(identifier: String, name: String, arguments: String): String = try {
        val tool = tools[name] ?: throw UzuException.ToolFailed("There is no tool $name")
        toolResult(identifier, tool.call(parsed(arguments).jsonObject), null)
    } catch (failure: Throwable) {
        // A cancel of the reply ends the call; one that the tool brought upon itself is told to the model.
        currentCoroutineContext().ensureActive()
        val kind = if (failure is UzuException) "" else "${failure::class.simpleName}: "
        toolResult(identifier, null, kind + failure.message)
    }
}
