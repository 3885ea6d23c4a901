package uzu.kotlin.transport

import com.sun.jna.Function
import com.sun.jna.Memory
import com.sun.jna.NativeLibrary
import com.sun.jna.Pointer
import kotlinx.serialization.json.jsonObject
import uzu.kotlin.UzuException
import uzu.kotlin.json.exception
import uzu.kotlin.json.parsed
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/** libuzu, whichever host it has. */
internal class JnaTransport(path: Path) : Transport {
    private val library: NativeLibrary
    private val functions = ConcurrentHashMap<String, Function>()

    init {
        if (!Files.isRegularFile(path)) {
            throw UzuException.InvalidState("uzu's native library isn't there: $path", mapOf("path" to "$path"))
        }
        library = try {
            NativeLibrary.getInstance(path.toAbsolutePath().toString())
        } catch (e: UnsatisfiedLinkError) {
            throw UzuException.InvalidState(
                "uzu's native library can't be loaded: ${e.message}",
                mapOf("path" to "$path"),
                e,
            )
        }
    }

    override fun text(function: String, handle: Long, vararg texts: String?): String {
        val out = Memory(STRING_BYTES).apply(Memory::clear)
        call(function, handle, texts, out)
        return take(out)
    }

    override fun number(function: String, handle: Long, vararg texts: String?): Long {
        val out = Memory(Long.SIZE_BYTES.toLong()).apply(Memory::clear)
        call(function, handle, texts, out)
        return out.getLong(0)
    }

    override fun run(function: String, handle: Long, vararg texts: String?): Unit = call(function, handle, texts, null)

    override fun queueAdd(queue: Long, stream: Long) {
        val error = Memory(STRING_BYTES).apply(Memory::clear)
        check(invoke("queue_add", arrayOf(queue, stream, error)), error)
    }

    override fun queueNext(queue: Long, timeoutMillis: Long): String? {
        val out = Memory(STRING_BYTES).apply(Memory::clear)
        val error = Memory(STRING_BYTES).apply(Memory::clear)
        return when (val result = invoke("queue_next", arrayOf(queue, timeoutMillis, out, error))) {
            TIMEOUT -> ""
            END -> null
            else -> {
                check(result, error)
                take(out)
            }
        }
    }

    private fun call(function: String, handle: Long, texts: Array<out String?>, out: Memory?) {
        val arguments = mutableListOf<Any?>()
        if (function !in WITHOUT_HANDLE) {
            arguments.add(handle)
        }
        for (text in texts) {
            val bytes = text?.encodeToByteArray()
            arguments.add(bytes)
            arguments.add(bytes?.size?.toLong() ?: 0L)
        }
        out?.let(arguments::add)
        val error = Memory(STRING_BYTES).apply(Memory::clear)
        arguments.add(error)
        check(invoke(function, arguments.toTypedArray()), error)
    }

    private fun invoke(function: String, arguments: Array<Any?>): Int = entry(function).invokeInt(arguments)

    private fun entry(name: String): Function = functions.computeIfAbsent(name) {
        try {
            library.getFunction("uzu_$it")
        } catch (e: UnsatisfiedLinkError) {
            val path = library.file.path
            throw UzuException.InvalidState("$path is no libuzu of this version", mapOf("path" to path), e)
        }
    }

    private fun check(result: Int, error: Memory) {
        if (result != OK) {
            val text = take(error)
            throw if (text.isEmpty()) {
                UzuException.Internal("The engine failed with result $result")
            } else {
                exception(parsed(text).jsonObject)
            }
        }
    }

    /** The text of a `uzu_string`, which is freed. */
    private fun take(string: Memory): String {
        val data: Pointer = string.getPointer(0) ?: return ""
        try {
            return data.getByteArray(0, Math.toIntExact(string.getLong(Long.SIZE_BYTES.toLong()))).decodeToString()
        } finally {
            entry("string_free").invokeVoid(arrayOf(string))
        }
    }

    private companion object {
        val WITHOUT_HANDLE = setOf("engine_create", "queue_create", "json_complete")
        const val STRING_BYTES = 16L
        const val OK = 0
        const val TIMEOUT = 1
        const val END = 2
    }
}
