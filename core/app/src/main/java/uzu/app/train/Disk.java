package uzu.app.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import uzu.UzuException;

/** Room for what training writes. */
final class Disk {
    /** Left free for everybody else. */
    private static final long RESERVE = 512L << 20;

    private Disk() {}

    /** @throws UzuException.DiskFull when {@code bytes} more don't fit beside the reserve */
    static void require(Path folder, long bytes, String what) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            if (free - RESERVE < bytes) {
                throw full(
                        what + " need about " + mebibytes(bytes) + " and " + mebibytes(RESERVE) + " to spare in "
                                + folder + ", where " + mebibytes(free) + " are free",
                        folder);
            }
        } catch (IOException e) {
            throw failure(folder, e);
        }
    }

    /** What a failed write means. */
    static UzuException failure(Path file, IOException e) {
        String message = Objects.requireNonNullElse(e.getMessage(), e.toString());
        if (message.contains("No space left on device") || message.contains("not enough space on the disk")) {
            return full("the disk is full: " + file + " can't be written; make room and start again", file);
        }
        return new UzuException.InvalidArgument(
                file + " can't be written: " + message, Map.of("path", file.toString()), e);
    }

    private static UzuException full(String message, Path path) {
        return new UzuException.DiskFull(message, Map.of("path", path.toString()));
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
