package uzu.kotlin

import kotlinx.coroutines.flow.first
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import java.nio.file.Files
import java.nio.file.Path
import kotlin.test.assertTrue

/** Engines and sessions made and closed, every eighth with a reply that is cut off: no memory stays behind. */
class CyclesTest {
    // What code caches and allocators may come to between a quarter of the cycles and the end.
    private val mostGrowth = 48L shl 20
    private val pages = Path.of("/proc/self/statm")

    @ParameterizedTest
    @EnumSource(Way::class)
    internal fun aHundredCyclesLeaveNoMemoryBehind(way: Way) = cycles(way, 100)

    @Tag("full")
    @ParameterizedTest
    @EnumSource(Way::class)
    internal fun aThousandCyclesLeaveNoMemoryBehind(way: Way) = cycles(way, 1000)

    private fun cycles(way: Way, count: Int) = runBlocking {
        assumeTrue(Files.isReadable(pages), "only Linux tells of resident memory this way")
        way.engine().use { engine ->
            engine.chatInstance(engine.smolLm2()).use { instance ->
                var settled = 0L
                for (i in 1..count) {
                    cycle(way, engine, instance, i % 8 == 0)
                    if (i == count / 4) {
                        settled = resident()
                    }
                }
                val growth = resident() - settled
                println("$way: ${growth shr 10} KiB more after $count cycles")
                assertTrue(growth < mostGrowth, "grew by ${growth shr 20} MiB")
            }
        }
    }

    private suspend fun cycle(way: Way, engine: Engine, instance: ChatInstance, withReply: Boolean) {
        way.engine().use { own ->
            own.model(SMOLLM2)
            engine.chatWithInstance(instance).use { session ->
                if (withReply) {
                    session.replyWithStream(say("Say hello to Ada."), GREEDY.withTokenLimit(1000)).first()
                }
            }
        }
    }

    /** Bytes of this process that are in memory, but for what is free of the heap: Java keeps as much as it likes. */
    private fun resident(): Long {
        System.gc()
        return Files.readString(pages).split(' ')[1].toLong() * 4096 - Runtime.getRuntime().freeMemory()
    }
}
