package uzu.kotlin

import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.test.assertEquals
import kotlin.test.assertIs
import kotlin.test.assertNotNull
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

class InProcessConversationTest : ConversationTest(Way.InProcess)

class JoinedConversationTest : ConversationTest(Way.Joined)

class NativeImageConversationTest : ConversationTest(Way.NativeImage)

/** Conversations with the default model, the same over every transport. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConversationTest internal constructor(private val way: Way) {
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

    private fun talking(talk: suspend (ChatSession) -> Unit) = runBlocking {
        engine.chatWithInstance(instance).use { talk(it) }
    }

    @Test
    fun aReplyIsTheModelsAnswer() = talking { session ->
        val replies = session.reply(say("What is the capital of France?"), GREEDY)
        assertEquals(1, replies.size)
        val reply = replies.single()
        assertTrue(reply.message.text!!.isNotBlank())
        assertEquals(ChatRole.Assistant, reply.message.role)
        assertNotNull(reply.finishReason)
        assertTrue(reply.stats.tokensCountOutput!! in 1..48)
        assertEquals(listOf(ChatRole.User, ChatRole.Assistant), session.messages().map { it.role }.takeLast(2))
        assertEquals(ChatSessionState.Idle, session.state())
    }

    @Test
    fun aStreamsDeltasAreItsMessage() = talking { session ->
        val chunks = session.replyWithStream(say("Count from one to five."), GREEDY).toList()
        val replies = chunks.map { assertIs<ChatSessionStreamChunk.Replies>(it) }
        assertEquals(replies.last().replies.single().message.text, replies.joinToString("") { it.delta.text })
        assertTrue(replies.dropLast(1).all { it.replies.single().finishReason == null })
        assertNotNull(replies.last().replies.single().finishReason)
        // Asked for late, an early chunk still has what was there then.
        assertEquals(replies.first().delta.text, replies.first().replies.single().message.text ?: "")
    }

    @Test
    fun textsAreTheReplyPieceByPiece() = talking { session ->
        val texts = session.replyWithStream(say("Say hello."), GREEDY).texts().toList()
        assertEquals(session.messages().last().text, texts.joinToString(""))
    }

    @Test
    fun theSameSeedDrawsTheSameReply() = runBlocking {
        suspend fun drawn() = engine.chatWithInstance(instance).use { session ->
            session.reply(say("Tell me a story.")) {
                seed = 7
                tokenLimit = 24
            }.single()
        }
        val first = drawn()
        assertEquals(7, first.stats.seed)
        assertEquals(first.message.text, drawn().message.text)
    }

    @Test
    fun cancellingTheCollectorCancelsTheReply() = talking { session ->
        coroutineScope {
            val collector = launch { session.replyWithStream(say("Tell me a very long story.")).collect {} }
            while (session.state() != ChatSessionState.Generation) {
                delay(1.milliseconds)
            }
            val start = TimeSource.Monotonic.markNow()
            collector.cancelAndJoin()
            assertTrue(start.elapsedNow() < 2.seconds, "${start.elapsedNow()}")
        }
        assertEquals(ChatSessionState.Idle, session.state())
        assertEquals(1, session.reply(say("Say hello."), GREEDY).size)
    }

    @Test
    fun aTimeoutCancelsAReply() = talking { session ->
        assertNull(withTimeoutOrNull(20.milliseconds) { session.reply(say("Tell me a very long story.")) })
        assertEquals(ChatSessionState.Idle, session.state())
    }

    @Test
    fun leavingTheFlowCancelsTheReply() = talking { session ->
        session.replyWithStream(say("Tell me a very long story.")).first()
        assertEquals(ChatSessionState.Idle, session.state())
    }

    @Test
    fun theCancelTokenEndsTheReplyWithWhatThereIs() = talking { session ->
        val stream = session.replyWithStream(say("Tell me a very long story."))
        val chunks = mutableListOf<ChatSessionStreamChunk>()
        stream.collect { chunk ->
            chunks.add(chunk)
            if (chunks.size == 3) {
                stream.cancelToken.cancel()
            }
        }
        val last = assertIs<ChatSessionStreamChunk.Replies>(chunks.last()).replies.single()
        assertEquals(ChatReplyFinishReason.Cancelled, last.finishReason)
        assertTrue(stream.cancelToken.isCancelled)
    }

    @Test
    fun whatTheCollectorThrowsComesOutAndCancels() = talking { session ->
        val thrown = runCatching {
            session.replyWithStream(say("Tell me a very long story.")).collect { error("enough") }
        }
        assertEquals("enough", assertIs<IllegalStateException>(thrown.exceptionOrNull()).message)
        assertEquals(ChatSessionState.Idle, session.state())
    }

    @Test
    fun eightSessionsReplyAtTheSameTime() = runBlocking {
        val texts = coroutineScope {
            (1..8).map {
                async {
                    engine.chatWithInstance(instance).use { session ->
                        session.reply(say("What is the capital of France?"), GREEDY).single().message.text
                    }
                }
            }.awaitAll()
        }
        assertEquals(1, texts.distinct().size)
        assertTrue(instance.memoryUsedBytes() > 0)
    }

    @Test
    fun aSecondReplyMeanwhileIsAnError() = talking { session ->
        session.replyWithStream(say("Tell me a very long story.")).first {
            assertThrows(UzuException.InvalidState::class.java) { runBlocking { session.reply(say("And you?")) } }
            true
        }
    }

    @Test
    fun aForkGoesItsOwnWay() = talking { session ->
        session.reply(say("Say hello."), GREEDY)
        session.fork().use { fork ->
            fork.reply(say("And goodbye."), GREEDY)
            assertEquals(session.messages().size + 2, fork.messages().size)
        }
    }

    @Test
    fun aConversationIsSavedRestoredReplacedAndForgotten(@TempDir folder: Path) = talking { session ->
        session.reply(say("Say hello."), GREEDY)
        val messages = session.messages()
        session.save(folder.resolve("conversation"))
        session.reset()
        assertEquals(listOf(), session.messages())
        session.restore(folder.resolve("conversation"))
        assertEquals(messages, session.messages())
        session.setMessages(say("Hello"))
        assertEquals(say("Hello"), session.messages())
        assertTrue(session.contextLength() > 0)
    }

    @Test
    fun logprobsComeWithTheTokens() = talking { session ->
        val reply = session.reply(say("Say hello."), GREEDY.withLogprobs(2)).single()
        assertTrue(reply.logprobs.isNotEmpty())
        assertTrue(reply.logprobs.all { it.logprob <= 0 && it.alternatives.size == 2 })
    }

    @Test
    fun rawTextIsContinued() = runBlocking {
        val model = engine.smolLm2()
        val completion = engine.complete(model, "The capital of France is", GREEDY.withTokenLimit(8))
        assertTrue("Paris" in completion.text, completion.text)
        val stream = engine.completeWithStream(model, "Once upon a time", GREEDY.withTokenLimit(8)).toList()
        assertTrue(stream.zipWithNext().all { (earlier, later) -> later.text.startsWith(earlier.text) })
        assertEquals(ChatReplyFinishReason.Length, stream.last().finishReason)
    }

    @Test
    fun errorsAreOfTheirKindAndNameTheCulprit() = talking { session ->
        val refused = assertThrows(UzuException.InvalidArgument::class.java) {
            runBlocking { session.reply(say("Hello")) { tokenLimit = -1 } }
        }
        assertEquals(ErrorCode.InvalidArgument, refused.code)
        assertEquals("token_limit", refused.details["field"])
        val unfit = assertThrows(UzuException.GrammarUnsupported::class.java) {
            runBlocking { session.reply(say("Hello")) { grammar = Grammar.Regex("(a)\\1") } }
        }
        assertEquals("grammar_unsupported", unfit.code.code)
        assertNull(engine.model("no such model"))
    }

    @Test
    fun aClosedSessionSaysSo() = runBlocking {
        val session = engine.chatWithInstance(instance)
        session.close()
        session.close()
        assertThrows(UzuException.Closed::class.java) { runBlocking { session.messages() } }
        Unit
    }

    @Test
    fun modelsAreDescribed() = runBlocking {
        val model = engine.smolLm2()
        assertTrue(model.isLocal && model.isChatCapable && model.isQuantized && !model.isRemote)
        assertTrue(model in engine.modelsLocal() && model in engine.modelsForChat() && model in engine.models())
        assertTrue(model in engine.modelsByFamily(model.family!!))
        assertTrue(model in engine.modelsByVendor(model.family.vendor))
        assertTrue(model.family in engine.modelFamilies() && model.family.vendor in engine.modelVendors())
        assertTrue(model.registry in engine.modelRegistries())
        assertEquals(DownloadPhase.Downloaded, engine.downloadState(model)?.phase)
        assertEquals(engine.downloadState(model), engine.downloadStates()[model.identifier])
        assertEquals(listOf(), engine.download(model).toList().filter { it.progress != 1.0 })
        assertTrue(engine.capabilities(model).chat)
        assertEquals(2, engine.countTokens(model, "Hello world"))
        assertTrue(engine.info().weightBytes > 0)
    }
}
