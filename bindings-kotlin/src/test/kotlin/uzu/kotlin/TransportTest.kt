package uzu.kotlin

import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import uzu.kotlin.transport.BundledLibrary
import uzu.kotlin.transport.InProcessTransport
import uzu.kotlin.transport.Transports
import java.io.FileNotFoundException
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import kotlin.test.assertEquals
import kotlin.test.assertIs
import kotlin.test.assertTrue

/** How the way to the engine is chosen. */
class TransportTest {
    @Test
    fun theEngineRunsInThisJvm() {
        assertIs<InProcessTransport>(Transports.choose(null, 25, null))
    }

    @Test
    fun anOldJvmWithoutALibraryIsToldWhatToDo() {
        val refused = assertThrows(UzuException.InvalidState::class.java) { Transports.choose("", 17, null) }
        assertEquals("17", refused.details["java"])
        assertTrue("JDK 25" in refused.message && "UZU_LIBRARY" in refused.message, refused.message)
    }

    @Test
    fun aLibraryThatIsNotThereIsNamed() {
        val refused = assertThrows(UzuException.InvalidState::class.java) { Transports.choose("/no/such.so", 25, null) }
        assertEquals("/no/such.so", refused.details["path"])
    }

    @Test
    fun aFileThatIsNoLibraryIsNamed(@TempDir folder: Path) {
        val file = Files.writeString(folder.resolve("libuzu.so"), "no library")
        val refused = assertThrows(UzuException.InvalidState::class.java) { Transports.choose("$file", 25, null) }
        assertEquals("$file", refused.details["path"])
    }

    private val contents = mapOf("libuzu.so" to "library", "jars/engine.jar" to "jar")

    private fun bundle(cache: Path, carried: Map<String, String> = contents): BundledLibrary {
        val index = contents.map { (path, text) -> "${sha256(text)} ${text.length} $path" }.joinToString("\n")
        return BundledLibrary(index, cache) { carried[it]?.byteInputStream() ?: throw FileNotFoundException(it) }
    }

    private fun sha256(text: String) =
        MessageDigest.getInstance("SHA-256").digest(text.encodeToByteArray()).joinToString("") { "%02x".format(it) }

    @Test
    fun theJarsLibraryIsUnpackedOnceAndRepaired(@TempDir cache: Path) {
        val library = bundle(cache).extracted()
        assertEquals("library", Files.readString(library))
        val jar = library.resolveSibling("jars/engine.jar")
        assertEquals("jar", Files.readString(jar))
        val before = Files.getLastModifiedTime(jar)
        Files.writeString(library, "damaged")
        assertEquals(library, bundle(cache).extracted())
        assertEquals("library", Files.readString(library))
        assertEquals(before, Files.getLastModifiedTime(jar))
        assertEquals(2, Files.walk(cache).filter(Files::isRegularFile).count())
    }

    @Test
    fun aDamagedJarIsAnError(@TempDir cache: Path) {
        val refused = assertThrows(UzuException.InvalidState::class.java) {
            bundle(cache, contents + ("jars/engine.jar" to "rar")).extracted()
        }
        assertTrue("jars/engine.jar is damaged" in refused.message, refused.message)
    }
}
