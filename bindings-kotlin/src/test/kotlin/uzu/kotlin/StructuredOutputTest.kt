package uzu.kotlin

import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import kotlin.test.assertEquals
import kotlin.test.assertIs
import kotlin.test.assertNotNull
import kotlin.test.assertNull
import kotlin.test.assertTrue

/** Replies that are values of this program's types. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StructuredOutputTest {
    @Serializable
    enum class Mood {
        @SerialName("happy")
        Happy,

        @SerialName("sad")
        Sad,
    }

    @Serializable
    sealed class Shape {
        @Serializable
        @SerialName("circle")
        data class Circle(val radius: Int) : Shape()

        @Serializable
        @SerialName("square")
        data class Square(val side: Int) : Shape()
    }

    @Serializable
    data class Person(
        @UzuParameter("First name only.") val name: String,
        val mood: Mood,
        val shapes: List<Shape>,
        val ages: Map<Mood, Int>,
        val numbers: Map<Int, Boolean>,
        val friend: Person? = null,
        val nickname: String?,
    )

    @Serializable
    data class Names(val names: List<String> = listOf())

    private lateinit var engine: Engine
    private lateinit var session: ChatSession

    @BeforeAll
    fun load() = runBlocking {
        engine = Way.InProcess.engine()
        session = engine.chat(engine.smolLm2())
    }

    @AfterAll
    fun close() = engine.close()

    @Test
    fun everyReplyOfATypeIsAValueOfIt() = runBlocking {
        for (seeded in 1L..6L) {
            session.reset()
            val reply = session.reply(say("Describe a person in JSON.")) {
                grammar = Grammar.fromType<Person>()
                tokenLimit = 160
                seed = seeded
            }.single()
            assertNotNull(reply.message.textDecoded<Person>(), "seed $seeded")
        }
    }

    @Test
    fun aListIsATypeToo() = runBlocking {
        session.reset()
        val reply = session.reply(say("List three names.")) {
            grammar = Grammar.fromType<List<String>>()
            tokenLimit = 64
        }.single()
        assertNotNull(reply.message.textDecoded<List<String>>())
        Unit
    }

    @Test
    fun whatThereIsOfAReplyIsAValueWhileItIsMade() = runBlocking {
        session.reset()
        val messages = session.replyWithStream(say("List three names.")) {
            grammar = Grammar.fromType<Names>()
            tokenLimit = 64
        }.toList().map { assertIs<ChatSessionStreamChunk.Replies>(it).replies.single().message }
        val partial = messages.map { it.textDecodedPartially<Names>()?.names?.size ?: 0 }
        assertTrue(partial.zipWithNext().all { (earlier, later) -> earlier <= later }, "$partial")
        assertEquals(messages.last().textDecoded<Names>(), messages.last().textDecodedPartially<Names>())
    }

    @Test
    fun aTextThatDoesNotFitSaysWhy() {
        val message = ChatMessage.assistant().withText("""{"name": "Ada"}""")
        val unfit = assertThrows(UzuException.InvalidArgument::class.java) { message.textDecoded<Person>() }
        assertTrue("mood" in unfit.message, unfit.message)
        assertNull(message.textDecodedPartially<Person>())
        assertNull(ChatMessage.assistant().textDecoded<Person>())
    }

    @Test
    fun unfinishedJsonIsReadAsFarAsItGoes() {
        val message = ChatMessage.assistant().withText("""{"names": ["Ada", "Gra""")
        assertEquals(Names(listOf("Ada", "Gra")), message.textDecodedPartially<Names>())
        assertEquals("""{"names":["Ada","Gra"]}""", message.textDecodedPartially().toString())
    }
}
