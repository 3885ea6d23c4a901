import kotlinx.serialization.Serializable
import uzu.kotlin.ChatMessage
import uzu.kotlin.Engine
import uzu.kotlin.Grammar
import uzu.kotlin.ReasoningEffort
import uzu.kotlin.SamplingMethod

@Serializable
data class Country(val name: String, val capital: String)

@Serializable
data class CountryList(val countries: List<Country>)

/** The reply is JSON of a type of this program, whatever the model, and becomes a value of it. */
suspend fun main(arguments: Array<String>) {
    Engine.create().use { engine ->
        val identifier = arguments.firstOrNull() ?: "huggingface:smollm2:135m:gguf:q4_1:4"
        val model = engine.model(identifier) ?: error("Model not found")
        engine.download(model).collect {}

        engine.chat(model).use { session ->
            val messages = listOf(
                ChatMessage.system().withReasoningEffort(ReasoningEffort.Disabled),
                ChatMessage.user()
                    .withText("Give me a JSON object with a list of 3 countries, each with name and capital"),
            )
            val replies = session.reply(messages) {
                tokenLimit = 256
                samplingMethod = SamplingMethod.Greedy
                grammar = Grammar.fromType<CountryList>()
            }
            val message = replies.last().message
            println(message.text)
            message.textDecoded<CountryList>()?.countries?.forEach { country ->
                println("The capital of ${country.name} is ${country.capital}")
            }
        }
    }
}
