package uzu.kotlin.transport

import uzu.kotlin.UzuException
import java.io.IOException
import java.io.InputStream
import java.io.OutputStream
import java.nio.file.AtomicMoveNotSupportedException
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import java.security.DigestInputStream
import java.security.MessageDigest

/**
 * The libuzu that our jar carries: files listed in `uzu/native/<platform>/index`, the library first, a line each of
 * SHA-256, size and path. They are unpacked into the cache once, and verified each time.
 */
internal class BundledLibrary(
    private val index: String,
    private val cache: Path,
    private val carried: (String) -> InputStream,
) {
    private class Entry(val sha256: String, val size: Long, val path: String)

    private val entries = index.lines().filter { it.isNotBlank() }.map { line ->
        val (sha256, size, path) = line.split(" ", limit = 3)
        Entry(sha256, size.toLong(), path)
    }

    /** The library's path; it and what lies beside it are as they were when the jar was made. */
    fun extracted(): Path {
        val target = cache.resolve("native").resolve(sha256(index.byteInputStream()).take(16))
        try {
            entries.forEach { unpack(it, target) }
        } catch (e: IOException) {
            throw UzuException.InvalidState(
                "uzu's native library can't be unpacked to $target: $e. UZU_CACHE chooses another folder.",
                mapOf("path" to "$target"),
                e,
            )
        }
        return target.resolve(entries.first().path)
    }

    private fun unpack(entry: Entry, target: Path) {
        val file = target.resolve(entry.path)
        if (Files.isRegularFile(file) && Files.size(file) == entry.size && sha256(file) == entry.sha256) {
            return
        }
        Files.createDirectories(file.parent)
        // Another process may be doing the same: each writes a file of its own, and the last one's stays.
        val mine = Files.createTempFile(file.parent, ".uzu", null)
        try {
            carried(entry.path).use { Files.copy(it, mine, StandardCopyOption.REPLACE_EXISTING) }
            if (sha256(mine) != entry.sha256) {
                throw IOException("${entry.path} is damaged in the jar")
            }
            try {
                Files.move(mine, file, StandardCopyOption.ATOMIC_MOVE)
            } catch (_: AtomicMoveNotSupportedException) {
                Files.move(mine, file, StandardCopyOption.REPLACE_EXISTING)
            }
        } finally {
            Files.deleteIfExists(mine)
        }
    }

    companion object {
        /** Null where the jar has none for this platform. */
        fun ofJar(): BundledLibrary? {
            val folder = "/uzu/native/${platform()}"
            val index = BundledLibrary::class.java.getResourceAsStream("$folder/index") ?: return null
            return BundledLibrary(index.use { it.readAllBytes().decodeToString() }, cache()) { path ->
                BundledLibrary::class.java.getResourceAsStream("$folder/$path")
                    ?: throw IOException("the jar has no $path")
            }
        }

        private fun cache(): Path = System.getenv("UZU_CACHE")?.takeIf { it.isNotEmpty() }?.let(Path::of)
            ?: Path.of(System.getProperty("user.home"), ".cache", "uzu")

        /** `linux-x86_64`, `macos-aarch64`, … */
        private fun platform(): String {
            val system = System.getProperty("os.name").lowercase()
            val os = when {
                system.startsWith("mac") -> "macos"
                system.startsWith("windows") -> "windows"
                else -> system
            }
            val processor = when (val name = System.getProperty("os.arch")) {
                "amd64", "x86-64" -> "x86_64"
                "arm64" -> "aarch64"
                else -> name
            }
            return "$os-$processor"
        }

        private fun sha256(file: Path): String = sha256(Files.newInputStream(file))

        private fun sha256(stream: InputStream): String {
            val digest = MessageDigest.getInstance("SHA-256")
            DigestInputStream(stream, digest).use { it.transferTo(OutputStream.nullOutputStream()) }
            return digest.digest().joinToString("") { "%02x".format(it) }
        }
    }
}
