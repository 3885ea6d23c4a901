package uzu.kotlin

import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.TimeUnit
import kotlin.test.assertEquals
import kotlin.test.assertTrue

/** A program on a JVM that is too old for the engine; `tools/tools test kotlin` names one in UZU_OLD_JAVA. */
class OldJvmTest {
    private fun said(library: String?): String {
        val java = System.getenv("UZU_OLD_JAVA") ?: ""
        assumeTrue(java.isNotEmpty(), "UZU_OLD_JAVA names no JVM from 17 to 24")
        val program = ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "uzu.kotlin.OldJvmTestKt")
        program.environment().remove("UZU_LIBRARY")
        library?.let { program.environment()["UZU_LIBRARY"] = it }
        val process = program.redirectErrorStream(true).start()
        val said = process.inputStream.readAllBytes().decodeToString()
        assertTrue(process.waitFor(10, TimeUnit.SECONDS))
        return said.trim()
    }

    private fun library(variable: String): String {
        val path = System.getenv(variable) ?: ""
        assumeTrue(path.isNotEmpty(), "$variable names no libuzu")
        return path
    }

    @Test
    fun withoutALibraryItIsToldWhatToDo() {
        assumeTrue(javaClass.getResource("/uzu/native") == null, "the package carries a library")
        val said = said(null)
        assertTrue("InvalidState" in said && "UZU_LIBRARY" in said, said)
    }

    @Test
    fun theLibraryInThePackageReplies() {
        assumeTrue(javaClass.getResource("/uzu/native") != null, "the package carries no library")
        val said = said(null)
        assertEquals("replied", said.lines().last(), said)
    }

    @Test
    fun aLibraryThatWouldJoinItSaysWhatItNeeds() {
        val said = said(library("UZU_HOST_LIBRARY"))
        assertTrue("InvalidState" in said && "25" in said, said)
    }

    @Test
    fun aNativeImageReplies() {
        val said = said(library("UZU_NATIVE_LIBRARY"))
        assertEquals("replied", said.lines().last(), said)
    }
}

fun main() = runBlocking {
    try {
        Engine.create { offline = true }.use { engine ->
            val model = engine.model(SMOLLM2) ?: error("Model not found")
            engine.chat(model).use { session ->
                println(session.reply(say("Hello"), GREEDY).single().message.text)
                println("replied")
            }
        }
    } catch (e: UzuException) {
        println("${e.code}: ${e.message}")
    }
}
