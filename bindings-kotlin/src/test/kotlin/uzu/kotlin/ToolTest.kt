package uzu.kotlin

import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.test.assertEquals
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.jsonObject
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance

class InProcessToolTest : ToolTest(Way.InProcess)

class JoinedToolTest : ToolTest(Way.Joined)

class NativeImageToolTest : ToolTest(Way.NativeImage)

@Serializable
data class Place(@UzuParameter("Its name in English.") val city: String)

/** Tools that are lambdas, called by the default model because it has to. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ToolTest internal constructor(private val way: Way) {
    private lateinit var engine: Engine
    private lateinit var instance: ChatInstance

    @BeforeAll
    fun load() = runBlocking {
        engine = way.engine()
        instance = engine.chatInstance(engine.smolLm2())
    }

    @AfterAll
    fun close() {
        if (::engine.isInitialized) {
            engine.close()
        }
    }

    private fun config(name: String) =
        GREEDY.withTokenLimit(160).withToolChoice(ToolChoice.Named(name)).withParallelToolCalls(false)

    private suspend fun resultOf(tool: ToolFunction): ChatContentBlock.ToolCallResult =
        engine.chatWithInstance(instance).use { session ->
            session.addTool(tool)
            session.replyWithStream(say("Ask about Paris."), config(tool.name)).toList()
                .filterIsInstance<ChatSessionStreamChunk.ToolResults>().first().results.single()
        }

    @Test
    fun argumentsAreAClassAndResultsBecomeJson() = runBlocking {
        val asked = mutableListOf<Place>()
        val result = resultOf(
            toolFunction("get_population", "How many people live in a city.") { place: Place ->
                asked.add(place)
                mapOf("population" to 2_100_000)
            },
        )
        assertEquals(1, asked.size)
        assertTrue(asked.single().city.isNotEmpty())
        assertEquals(Json.parseToJsonElement("""{"population":2100000}"""), result.value)
    }

    @Test
    fun aToolMayHaveNoArguments() = runBlocking {
        val result = resultOf(toolFunction("get_time", "The time now.") { -> "12:30" })
        assertEquals(JsonPrimitive("12:30"), result.value)
    }

    class Owner(val name: String) : AbstractCoroutineContextElement(Owner) {
        companion object Key : CoroutineContext.Key<Owner>
    }

    @Test
    fun toolsRunInTheCollectorsContext() = runBlocking {
        val result = withContext(Owner("Ada")) {
            resultOf(
                toolFunction("get_owner", "Who asks.") { ->
                    currentCoroutineContext()[Owner]!!.name + " " + currentCoroutineContext()[CoroutineName]!!.name
                },
            )
        }
        assertEquals(JsonPrimitive("Ada uzu tool get_owner"), result.value)
    }

    @Test
    fun whatAToolThrowsIsToldToTheModel() = runBlocking {
        val result = resultOf(toolFunction<String>("get_time", "The time now.") { -> error("the clock stands") })
        assertEquals("IllegalStateException: the clock stands", error(result))
    }

    @Test
    fun aToolThatTakesTooLongIsToldToTheModel() = runBlocking {
        val slow = toolFunction<String>("get_time", "The time now.") { -> awaitCancellation() }
        assertEquals("The call took longer than 50ms", error(resultOf(slow.withTimeout(50.milliseconds))))
    }

    private fun error(result: ChatContentBlock.ToolCallResult) = result.value.jsonObject["error"]!!.let {
        (it as JsonPrimitive).content
    }

    @Test
    fun cancellingTheCollectorCancelsItsCalls() = runBlocking {
        val called = CompletableDeferred<Unit>()
        val cancelled = CompletableDeferred<Unit>()
        val endless = toolFunction<String>("get_time", "The time now.") { ->
            called.complete(Unit)
            try {
                awaitCancellation()
            } finally {
                cancelled.complete(Unit)
            }
        }
        engine.chatWithInstance(instance).use { session ->
            session.addTool(endless)
            coroutineScope {
                val collector = launch { session.reply(say("What time is it?"), config("get_time")) }
                called.await()
                assertEquals(ChatSessionState.ToolCalling, session.state())
                collector.cancelAndJoin()
            }
            assertTrue(cancelled.isCompleted)
            assertEquals(ChatSessionState.Idle, session.state())
        }
    }

    @Test
    fun toolsOfAMessageAreCalledByTheCaller() = runBlocking {
        val schema = Json.parseToJsonElement("""{"type": "object", "properties": {}}""").jsonObject
        val tool = ToolDeclaration("get_time", "The time now.", schema)
        val asked = ChatMessage.system().withBlock(ChatContentBlock.Tools(listOf(tool)))
        engine.chatWithInstance(instance).use { session ->
            val reply = session.reply(listOf(asked) + say("What time is it?"), config("get_time")).last()
            assertEquals(ChatReplyFinishReason.ToolCalls, reply.finishReason)
            val call = reply.message.toolCalls.single()
            assertEquals("get_time", call.name)
            val answer = ChatMessage.tool()
                .withBlock(ChatContentBlock.ToolCallResult(call.identifier, call.name, JsonPrimitive("12:30")))
            assertEquals(1, session.reply(listOf(answer), GREEDY).size)
        }
    }
}
