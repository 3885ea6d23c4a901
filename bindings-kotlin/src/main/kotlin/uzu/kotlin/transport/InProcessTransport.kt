package uzu.kotlin.transport

import kotlinx.serialization.json.jsonObject
import uzu.bridge.InProcess
import uzu.kotlin.json.exception
import uzu.kotlin.json.parsed

/** The engine in this JVM, which has to be new enough; nothing else in the package refers to the engine's classes. */
internal class InProcessTransport : Transport {
    private val engine = InProcess()

    override fun text(function: String, handle: Long, vararg texts: String?): String =
        calling { engine.text(function, handle, *texts) }

    override fun number(function: String, handle: Long, vararg texts: String?): Long =
        calling { engine.number(function, handle, *texts) }

    override fun run(function: String, handle: Long, vararg texts: String?): Unit =
        calling { engine.run(function, handle, *texts) }

    override fun queueAdd(queue: Long, stream: Long): Unit = calling { engine.queueAdd(queue, stream) }

    override fun queueNext(queue: Long, timeoutMillis: Long): String? =
        calling { engine.next("queue_next", queue, timeoutMillis) }

    private inline fun <T> calling(call: () -> T): T = try {
        call()
    } catch (thrown: Throwable) {
        throw exception(parsed(InProcess.errorJson(thrown)).jsonObject, thrown)
    }
}
