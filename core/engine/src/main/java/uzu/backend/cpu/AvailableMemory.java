package uzu.backend.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this process may still take, as far as the system says. */
public final class AvailableMemory {
    /** Below this the question costs more than it saves. */
    static final long WORTH_ASKING = 16L << 20;

    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final Path CGROUP = Path.of("/sys/fs/cgroup");

    private AvailableMemory() {}

    /** {@link Long#MAX_VALUE} where the system doesn't say: there the allocation itself fails. */
    public static long bytes() {
        return Math.min(machine(), group());
    }

    private static long machine() {
        return field(MEMINFO, "MemAvailable:", Long.MAX_VALUE >> 10) << 10;
    }

    /** The limit of a container less what it holds; its file pages count as free, since they can be dropped. */
    private static long group() {
        try {
            String limit = Files.readString(CGROUP.resolve("memory.max")).strip();
            if (limit.equals("max")) {
                return Long.MAX_VALUE;
            }
            long current = Long.parseLong(
                    Files.readString(CGROUP.resolve("memory.current")).strip());
            long files = field(CGROUP.resolve("memory.stat"), "file ", 0);
            return Math.max(0, Long.parseLong(limit) - current + files);
        } catch (IOException | NumberFormatException | SecurityException unknown) {
            return Long.MAX_VALUE;
        }
    }

    private static long field(Path file, String name, long otherwise) {
        try {
            List<String> lines = Files.readAllLines(file);
            for (String line : lines) {
                if (line.startsWith(name)) {
                    return Long.parseLong(line.substring(name.length()).strip().split(" ", 2)[0]);
                }
            }
            return otherwise;
        } catch (IOException | NumberFormatException | SecurityException unknown) {
            return otherwise;
        }
    }
}
