package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
