package uzu.kotlin.transport

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withContext
import java.lang.ref.Cleaner
import java.lang.ref.Reference

/** Something in the engine, closed by hand or when this object is collected. */
internal class Handle(private val transport: Transport, val value: Long, whenClosed: () -> Unit = {}) : AutoCloseable {
    private val cleanable = CLEANER.register(this, Closing(transport, value, whenClosed))

    fun text(function: String, vararg texts: String?): String = whileHeld { transport.text(function, value, *texts) }

    fun number(function: String, vararg texts: String?): Long = whileHeld { transport.number(function, value, *texts) }

    fun run(function: String, vararg texts: String?): Unit = whileHeld { transport.run(function, value, *texts) }

    /** Another thing in the same engine. */
    fun open(function: String, vararg texts: String?) = Handle(transport, number(function, *texts))

    /** Waits until nothing of it runs any more. Nothing happens the second time. */
    override fun close(): Unit = cleanable.clean()

    /** A call's own object is garbage to the JVM as soon as the number was read from it. */
    private inline fun <T> whileHeld(call: () -> T): T = try {
        call()
    } finally {
        Reference.reachabilityFence(this)
    }

    /** Must not refer to the handle, which would then never be collected. */
    private class Closing(val transport: Transport, val value: Long, val whenClosed: () -> Unit) : Runnable {
        override fun run() {
            whenClosed()
            transport.run("handle_close", value)
        }
    }

    private companion object {
        val CLEANER: Cleaner = Cleaner.create()
    }
}

/** Runs a call that blocks on a thread that may. */
internal suspend fun <T> waiting(call: () -> T): T = withContext(Dispatchers.IO) { call() }

/** As [waiting], for what has to be closed: a coroutine that is cancelled meanwhile closes it. */
internal suspend fun <T : AutoCloseable> opening(open: () -> T): T {
    val opened = uncancelled(open)
    try {
        currentCoroutineContext().ensureActive()
    } catch (cancelled: Throwable) {
        closing(opened)
        throw cancelled
    }
    return opened
}

/** Closes, and waits for it, in a coroutine that may have been cancelled. */
internal suspend fun closing(opened: AutoCloseable): Unit = uncancelled { opened.close() }

/** Two steps: on its way back from another dispatcher a result is dropped if the coroutine was cancelled meanwhile. */
private suspend fun <T> uncancelled(call: () -> T): T =
    withContext(NonCancellable) { withContext(Dispatchers.IO) { call() } }
