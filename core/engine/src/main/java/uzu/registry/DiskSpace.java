package uzu.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** Room for a download, asked for before and told apart from other failures after. */
final class DiskSpace {
    private static final long RESERVE = 64L << 20;

    private DiskSpace() {}

    static void require(Path folder, long bytes, String identifier) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free - RESERVE < bytes) {
            throw new UzuException.DiskFull(
                    identifier + " needs " + megabytes(bytes) + " more in " + folder + ", where " + megabytes(free)
                            + " are free",
                    Map.of("model", identifier, "path", folder.toString(), "needed", "" + bytes, "free", "" + free));
        }
    }

    /** Whether a system's error message says so; there is no type for it. */
    static boolean isExhausted(@Nullable String message) {
        return message != null
                && (message.contains("No space left on device")
                        || message.contains("not enough space on the disk")
                        || message.contains("Disk quota exceeded"));
    }

    static UzuException full(String what, @Nullable Throwable cause) {
        return new UzuException.DiskFull("the disk is full while fetching " + what, Map.of("model", what), cause);
    }

    private static String megabytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
