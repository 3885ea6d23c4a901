package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
    @TempDir
    Path folder;

    @Test
    void aMissingLibraryIsNotUsed() {
        assertEquals(Optional.empty(), NativeLibrary.load(folder.resolve("no-such-library.so")));
    }

    @Test
    void aFileThatIsNoLibraryIsNotUsed() throws IOException {
        Path file = Files.write(folder.resolve("text.so"), new byte[] {1, 2, 3});
        assertEquals(Optional.empty(), NativeLibrary.load(file));
    }

    /** As in an application server, or where another program's Java carries a second copy of the engine. */
    @Test
    void anotherClassLoaderUsesTheKernelsToo() throws ReflectiveOperationException, IOException {
        assumeTrue(CompiledKernels.library().isPresent(), "no C compiler");
        assumeTrue(NativeLibrary.loaded().isPresent(), "no kernels beside the classes");
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < entries.length; i++) {
            urls[i] = Path.of(entries[i]).toUri().toURL();
        }
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            Class<?> options = loader.loadClass("uzu.backend.cpu.CpuOptions");
            Class<?> backend = loader.loadClass("uzu.backend.cpu.CpuBackend");
            Object defaults = options.getMethod("defaults").invoke(null);
            try (AutoCloseable opened =
                    (AutoCloseable) backend.getMethod("open", options).invoke(null, defaults)) {
                try (CpuBackend here = CpuBackend.open(CpuOptions.defaults())) {
                    assertEquals(
                            here.description(), backend.getMethod("description").invoke(opened));
                    assertNotEquals(CpuBackend.class, opened.getClass());
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void aResourceIsUnpackedOnceUnderANameMadeOfItsContent() throws IOException {
        byte[] content = {1, 2, 3};
        Path first = NativeLibrary.unpack(content, "linux-x86_64/libuzu_kernels.so", folder);
        Path again = NativeLibrary.unpack(content, "linux-x86_64/libuzu_kernels.so", folder);
        Path other = NativeLibrary.unpack(new byte[] {4}, "linux-x86_64/libuzu_kernels.so", folder);
        assertArrayEquals(content, Files.readAllBytes(first));
        assertEquals(first, again);
        assertNotEquals(first, other);
        assertEquals("libuzu_kernels.so", first.getFileName().toString());
    }

    @Test
    void aCutCopyIsReplaced() throws IOException {
        byte[] content = {1, 2, 3};
        Path file = NativeLibrary.unpack(content, "libuzu_kernels.so", folder);
        Files.write(file, new byte[] {1});
        NativeLibrary.unpack(content, "libuzu_kernels.so", folder);
        assertArrayEquals(content, Files.readAllBytes(file));
    }

    @Test
    void platformsAreNamedAlike() {
        assertTrue(NativeLibrary.platformPath().matches("(linux|macos|windows)-\\w+/libuzu_kernels\\.(so|dylib|dll)"));
    }
}
