package uzu.kotlin.transport

import uzu.kotlin.UzuException
import java.nio.file.Path

/** The transport of this process, chosen when first needed. */
internal object Transports {
    /** What the engine's classes need. */
    const val ENGINE_JAVA = 25

    val ofProcess: Transport by lazy {
        choose(System.getenv("UZU_LIBRARY"), Runtime.version().feature(), BundledLibrary.ofJar())
    }

    /**
     * The library that is asked for; else the engine in this JVM if it can run there; else the library in our jar.
     *
     * @param library the value of `UZU_LIBRARY`
     * @param java the version of this JVM
     */
    fun choose(library: String?, java: Int, bundled: BundledLibrary?): Transport {
        if (!library.isNullOrEmpty()) {
            return JnaTransport(Path.of(library))
        }
        return (if (java >= ENGINE_JAVA) inProcess() else null)
            ?: bundled?.let { JnaTransport(it.extracted()) }
            ?: throw UzuException.InvalidState(
                "There is no engine that this JVM ($java) can run. Run the program on JDK $ENGINE_JAVA or newer with " +
                    "uzu-bridge on the class path, or set UZU_LIBRARY to a libuzu made by GraalVM's Native Image, " +
                    "which runs beside any JVM.",
                mapOf("java" to "$java"),
            )
    }

    /** Null where the engine's jars were left out. */
    private fun inProcess(): Transport? = try {
        InProcessTransport()
    } catch (_: NoClassDefFoundError) {
        null
    }
}
