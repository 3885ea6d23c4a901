package uzu.kotlin

import org.junit.jupiter.api.Assumptions.assumeTrue
import uzu.kotlin.transport.InProcessTransport
import uzu.kotlin.transport.JnaTransport
import uzu.kotlin.transport.Transport
import java.nio.file.Path

const val SMOLLM2 = "huggingface:smollm2:135m:gguf:q4_1:4"

/** The ways to the engine; those over libuzu need one, which `tools/tools test kotlin` names. */
internal enum class Way(private val variable: String?) {
    InProcess(null) {
        override fun transport(): Transport = IN_PROCESS
    },

    /** libuzu that starts a JVM, and here joins the one that runs. */
    Joined("UZU_HOST_LIBRARY") {
        override fun transport(): Transport = JOINED
    },

    /** libuzu that is a native image. */
    NativeImage("UZU_NATIVE_LIBRARY") {
        override fun transport(): Transport = NATIVE_IMAGE
    }, ;

    abstract fun transport(): Transport

    suspend fun engine(config: EngineConfig = engineConfig { offline = true }): Engine {
        assumeTrue(variable == null || library(variable).isNotEmpty(), "$variable names no libuzu")
        return Engine.open(transport(), config)
    }

    private companion object {
        // One of each for all tests: a process has one runtime.
        val IN_PROCESS by lazy { InProcessTransport() }
        val JOINED by lazy { JnaTransport(Path.of(library("UZU_HOST_LIBRARY"))) }
        val NATIVE_IMAGE by lazy { JnaTransport(Path.of(library("UZU_NATIVE_LIBRARY"))) }

        fun library(variable: String) = System.getenv(variable) ?: ""
    }
}

internal fun say(text: String) = listOf(ChatMessage.user().withText(text))

/** The default model, or a skipped test where it isn't downloaded. */
internal suspend fun Engine.smolLm2(): Model {
    val model = model(SMOLLM2)
    assumeTrue(model != null && modelPath(model) != null, "$SMOLLM2 isn't downloaded")
    return model!!
}

internal val GREEDY = replyConfig {
    samplingMethod = SamplingMethod.Greedy
    tokenLimit = 48
}
