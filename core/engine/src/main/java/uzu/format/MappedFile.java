package uzu.format;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** A file as read-only memory. */
final class MappedFile {
    private MappedFile() {}

    static MemorySegment map(Path path, SharedArena arena) {
        if (Files.isDirectory(path)) {
            throw notFound(path, "is a folder, not a file", null);
        }
        // Opening a pipe would wait for its writer.
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw notFound(path, "is a device or a pipe, not a file", null);
        }
        try (FileChannel channel = FileChannel.open(path)) {
            return arena.map(channel);
        } catch (NoSuchFileException e) {
            throw notFound(path, "no such file", e);
        } catch (IOException e) {
            throw notFound(path, "can't be read (" + e.getMessage() + ")", e);
        }
    }

    private static UzuException notFound(Path path, String message, @Nullable Throwable cause) {
        return new UzuException.ModelNotFound(path + ": " + message, Map.of("path", path.toString()), cause);
    }
}
