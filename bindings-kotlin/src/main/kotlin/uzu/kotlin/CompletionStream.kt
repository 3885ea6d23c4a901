package uzu.kotlin

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow
import uzu.kotlin.json.Folded
import uzu.kotlin.transport.Inbox
import uzu.kotlin.transport.StreamReader
import uzu.kotlin.transport.closing
import uzu.kotlin.transport.opening
import java.lang.ref.Reference

/** A completion while it is made: a cold flow whose elements have the whole text so far. A failure is thrown. */
class CompletionStream internal constructor(
    private val engine: Engine,
    private val reader: StreamReader,
    private val start: () -> Long,
) : Flow<Completion> {
    /** Stops the completion within one forward pass; the flow then ends with what there is. */
    val cancelToken: CancelToken = CancelToken()

    override suspend fun collect(collector: FlowCollector<Completion>): Unit = flow.collect(collector)

    private val flow = flow {
        val inbox = Inbox()
        val stream = opening { reader.read(start(), inbox) }
        try {
            cancelToken.onCancel {
                try {
                    stream.run("stream_cancel")
                } catch (_: UzuException) {
                    // closed already, with its engine perhaps
                }
            }
            val folded = Folded()
            for (chunk in inbox.chunks) {
                emit(folded.completion(chunk))
            }
        } finally {
            closing(stream)
            Reference.reachabilityFence(engine)
        }
    }
}
