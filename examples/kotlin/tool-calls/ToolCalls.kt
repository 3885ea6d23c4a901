import kotlinx.serialization.Serializable
import uzu.kotlin.ChatMessage
import uzu.kotlin.ChatReply
import uzu.kotlin.ChatSessionStreamChunk
import uzu.kotlin.Engine
import uzu.kotlin.SamplingMethod
import uzu.kotlin.ToolChoice
import uzu.kotlin.UzuParameter
import uzu.kotlin.toolFunction
import kotlin.math.abs

@Serializable
data class Coordinate(@UzuParameter("As get_location returns it.") val latitude: Double, val longitude: Double)

val getLocation = toolFunction("get_location", "Return the coordinates of the place where the user is now.") { ->
    Coordinate(51.5074, -0.1278)
}

val getTemperature =
    toolFunction("get_temperature", "Return the temperature in degrees Celsius at a coordinate.") { place: Coordinate ->
        "%.0f °C".format(25.0 - abs(place.latitude) / 10)
    }

/** The model calls functions of this program, and answers with what they say. */
suspend fun main(arguments: Array<String>) {
    Engine.create().use { engine ->
        val identifier = arguments.firstOrNull() ?: "huggingface:smollm2:135m:gguf:q4_1:4"
        val model = engine.model(identifier) ?: error("Model not found")
        engine.download(model).collect {}

        engine.chat(model).use { session ->
            session.addTools(getLocation, getTemperature)
            val question = listOf(ChatMessage.user().withText("Where am I, and what temperature is it there?"))
            // Small models rather guess than ask: here they have to.
            val stream = session.replyWithStream(question) {
                toolChoice = ToolChoice.Required
                samplingMethod = SamplingMethod.Greedy
                tokenLimit = 256
            }
            stream.collect { chunk ->
                when (chunk) {
                    is ChatSessionStreamChunk.ToolResults ->
                        chunk.results.forEach { println("${it.name} said ${it.value}") }
                    is ChatSessionStreamChunk.Replies -> report(chunk.replies.first())
                    is ChatSessionStreamChunk.Error -> throw chunk.error
                }
            }
        }
    }
}

fun report(reply: ChatReply) {
    if (reply.finishReason != null) {
        reply.message.toolCalls.forEach { println("calling ${it.name} ${it.arguments}") }
        println(reply.message.text ?: "")
    }
}
