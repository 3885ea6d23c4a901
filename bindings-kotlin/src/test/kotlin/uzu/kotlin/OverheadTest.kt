package uzu.kotlin

import kotlinx.coroutines.runBlocking
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import java.lang.management.ManagementFactory
import kotlin.test.assertTrue

/** What Kotlin's threads have to do for each chunk of a stream that is read as it comes. */
class OverheadTest {
    private val threads = ManagementFactory.getThreadMXBean()

    /** Nanoseconds that the reader, the dispatchers and the collector were running. */
    private fun busy(): Long = threads.getThreadInfo(threads.allThreadIds).filterNotNull()
        .filter { info ->
            info.threadName == Thread.currentThread().name || info.threadName == "uzu-streams" ||
                info.threadName.startsWith("DefaultDispatcher")
        }
        .sumOf { threads.getThreadCpuTime(it.threadId) }

    @ParameterizedTest
    @EnumSource(Way::class)
    internal fun aChunkCostsKotlinLittle(way: Way) = runBlocking {
        val tokens = Integer.getInteger("uzu.tokens", 200)
        way.engine().use { engine ->
            val instance = engine.chatInstance(engine.smolLm2()) { speculationPreset = ChatSpeculationPreset.Off }
            suspend fun read(tokens: Int): Int {
                var chunks = 0
                engine.chatWithInstance(instance).use { session ->
                    val question = say("Tell me a short story about a tiny robot")
                    session.replyWithStream(question, GREEDY.withTokenLimit(tokens)).collect { chunks++ }
                }
                return chunks
            }
            read(50)
            val before = busy()
            val chunks = read(tokens)
            val microseconds = (busy() - before) / 1e3 / chunks
            println("$way: %.0f µs a chunk, $chunks chunks".format(microseconds))
            // Tests run on busy machines; docs/benchmarks.md has what a quiet one takes.
            assertTrue(microseconds < 3000, "$microseconds")
        }
    }
}
