import uzu.kotlin.ChatMessage
import uzu.kotlin.Engine

/** A model is found, fetched, loaded, and asked once. */
suspend fun main() {
    Engine.create().use { engine ->
        val model = engine.model("huggingface:smollm2:135m:gguf:q4_1:4") ?: error("Model not found")
        engine.download(model).collect { update ->
            print("\rDownload progress: ${(100 * update.progress).toInt()}%")
        }
        println()

        engine.chat(model).use { session ->
            val messages = listOf(
                ChatMessage.system().withText("You are a helpful assistant"),
                ChatMessage.user().withText("Tell me a short story about a tiny robot"),
            )
            val replies = session.reply(messages) { tokenLimit = 256 }
            println(replies.last().message.text)
        }
    }
}
