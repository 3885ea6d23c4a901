package uzu.kotlin

import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Test
import java.lang.ref.WeakReference
import kotlin.test.assertEquals
import kotlin.test.assertIs
import kotlin.test.assertTrue
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/** What engines and sessions leave behind: nothing. */
class LifetimeTest {
    private fun threads() = Thread.getAllStackTraces().keys.count { it.name == "uzu-streams" && it.isAlive }

    @Test
    fun enginesComeAndGo() = runBlocking {
        val before = threads()
        repeat(200) { Way.InProcess.engine().use { it.models() } }
        withTimeout(10.seconds) {
            while (threads() > before) {
                delay(10.milliseconds)
            }
        }
    }

    @Test
    fun sessionsComeAndGo() = runBlocking {
        Way.InProcess.engine().use { engine ->
            engine.chatInstance(engine.smolLm2()).use { instance ->
                val before = instance.memoryUsedBytes()
                repeat(100) {
                    engine.chatWithInstance(instance).use { it.replyWithStream(say("Hello")).first() }
                }
                assertTrue(instance.memoryUsedBytes() < before + (64 shl 20), "${instance.memoryUsedBytes() - before}")
            }
        }
    }

    @Test
    fun anEngineThatIsForgottenIsClosed() = runBlocking {
        val before = threads()
        val forgotten = WeakReference(Way.InProcess.engine())
        withTimeout(20.seconds) {
            while (forgotten.get() != null || threads() > before) {
                System.gc()
                delay(20.milliseconds)
            }
        }
    }

    @Test
    fun closingTheEngineEndsAReply() = runBlocking {
        val engine = Way.InProcess.engine()
        val session = engine.chat(engine.smolLm2())
        val chunks = mutableListOf<ChatSessionStreamChunk>()
        session.replyWithStream(say("Tell me a very long story.")).collect {
            chunks.add(it)
            engine.close()
        }
        assertIs<UzuException.Closed>(assertIs<ChatSessionStreamChunk.Error>(chunks.last()).error)
        Unit
    }

    @Test
    fun eventsTellWhatIsLoaded() = runBlocking {
        val called = Channel<EngineEvent>(Channel.UNLIMITED)
        val engine = Way.InProcess.engine()
        engine.registerCallback { called.trySend(it) }
        val events = Channel<EngineEvent>(Channel.UNLIMITED)
        val collecting = launch {
            engine.events().collect { events.send(it) }
            events.close()
        }
        val model = engine.smolLm2()
        engine.chat(model).use {
            assertEquals(model.identifier, assertIs<EngineEvent.ModelLoaded>(called.receive()).model)
        }
        engine.close()
        withTimeout(10.seconds) { collecting.join() }
    }
}
