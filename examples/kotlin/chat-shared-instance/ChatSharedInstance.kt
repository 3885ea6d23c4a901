import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import uzu.kotlin.ChatInstance
import uzu.kotlin.ChatMessage
import uzu.kotlin.Engine
import uzu.kotlin.replyConfig
import kotlin.time.TimeSource

val PROMPTS = mapOf(
    "story" to "Tell me a short story about a tiny robot",
    "capital" to "What is the capital of France, and what is it known for?",
)
val CONFIG = replyConfig { tokenLimit = 128 }

/** One loaded model, two conversations on it that reply at the same time. */
suspend fun main() {
    Engine.create().use { engine ->
        val model = engine.model("huggingface:smollm2:135m:gguf:q4_1:4") ?: error("Model not found")
        engine.download(model).collect { update ->
            print("\rDownload progress: ${(100 * update.progress).toInt()}%")
        }
        println()

        engine.chatInstance(model).use { instance ->
            val start = TimeSource.Monotonic.markNow()
            coroutineScope {
                for ((label, prompt) in PROMPTS) {
                    launch { answer(engine, instance, label, prompt) }
                }
            }
            val seconds = start.elapsedNow().inWholeMilliseconds / 1e3
            val megabytes = instance.memoryUsedBytes() / 1e6
            println("%d replies in %.1f s, in %.0f MB".format(PROMPTS.size, seconds, megabytes))
        }
    }
}

suspend fun answer(engine: Engine, instance: ChatInstance, label: String, prompt: String) {
    engine.chatWithInstance(instance).use { session ->
        val replies = session.reply(listOf(ChatMessage.user().withText(prompt)), CONFIG)
        println("[$label] ${replies.last().message.text}\n")
    }
}
