import uzu.kotlin.ChatMessage
import uzu.kotlin.ChatReplyStats
import uzu.kotlin.ChatSession
import uzu.kotlin.ChatSessionStreamChunk
import uzu.kotlin.Engine
import uzu.kotlin.replyConfig

const val PROMPT = "What is the capital of France, and what is it known for?"
val CONFIG = replyConfig { tokenLimit = 256 }

/** A conversation whose replies appear as they are made: with you at a terminal, else with the prompt given. */
suspend fun main(arguments: Array<String>) {
    Engine.create().use { engine ->
        val model = engine.model("huggingface:smollm2:135m:gguf:q4_1:4") ?: error("Model not found")
        engine.download(model).collect { update ->
            System.err.print("\rDownload progress: ${(100 * update.progress).toInt()}%")
        }
        engine.chat(model).use { session ->
            if (arguments.isNotEmpty() || System.console()?.isTerminal != true) {
                answer(session, arguments.joinToString(" ").ifEmpty { PROMPT })
                return
            }
            println("\nAsk something; an empty line or \"exit\" ends the conversation.")
            while (true) {
                print("> ")
                val text = readlnOrNull()?.trim()
                if (text.isNullOrEmpty() || text == "exit") {
                    return
                }
                answer(session, text)
            }
        }
    }
}

suspend fun answer(session: ChatSession, text: String) {
    session.replyWithStream(listOf(ChatMessage.user().withText(text)), CONFIG).collect { chunk ->
        when (chunk) {
            is ChatSessionStreamChunk.Replies -> {
                print(chunk.delta.text)
                System.out.flush()
                chunk.replies.first().let { reply -> reply.finishReason?.let { report(reply.stats) } }
            }
            is ChatSessionStreamChunk.ToolResults -> {}
            is ChatSessionStreamChunk.Error -> throw chunk.error
        }
    }
}

fun report(stats: ChatReplyStats) {
    val speed = stats.generateTokensPerSecond ?: 0.0
    val passes = stats.speculatorStats?.let { ", %.1f a pass".format(it.tokensPerForwardPass) } ?: ""
    println("\n[%d tokens, %.0f a second%s]".format(stats.tokensCountOutput, speed, passes))
}
