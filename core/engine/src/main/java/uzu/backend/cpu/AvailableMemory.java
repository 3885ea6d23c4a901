package uzu.backend.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** How much memory this process may still take, as far as the system says. */
public final class AvailableMemory {
    /** Below this the question costs more than it saves. */
    static final long WORTH_ASKING = 16L << 20;

    private static final Path ROOT = Path.of("/");

    private AvailableMemory() {}

    /** {@link Long#MAX_VALUE} where the system doesn't say: there the allocation itself fails. */
    public static long bytes() {
        return bytes(ROOT);
    }

    /** The same of a system whose files lie under {@code root}. */
    static long bytes(Path root) {
        long machine = field(root.resolve("proc/meminfo"), "MemAvailable:", Long.MAX_VALUE >> 10) << 10;
        return Math.min(machine, groups(root));
    }

    /** The least that any group of this process leaves, of either version of control groups. */
    private static long groups(Path root) {
        long least = Long.MAX_VALUE;
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] fields = line.split(":", 3);
            if (fields.length < 3) {
                continue;
            }
            boolean second = fields[1].isEmpty();
            if (second || List.of(fields[1].split(",")).contains("memory")) {
                Path mount = root.resolve(second ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
                least = Math.min(least, upwards(mount, fields[2], second));
            }
        }
        return least;
    }

    /** A limit holds for all groups inside; in a container the outer ones, and their names, may be hidden. */
    private static long upwards(Path mount, String name, boolean second) {
        long least = left(mount, second);
        try {
            Path group = mount.resolve(name.substring(1)).normalize();
            while (group != null && group.startsWith(mount) && !group.equals(mount)) {
                least = Math.min(least, left(group, second));
                group = group.getParent();
            }
            return least;
        } catch (InvalidPathException | IndexOutOfBoundsException strange) {
            return least;
        }
    }

    /** The limit less what is held; pages of files count as free, since they can be dropped, those in memory don't. */
    private static long left(Path group, boolean second) {
        long limit = number(group.resolve(second ? "memory.max" : "memory.limit_in_bytes"));
        long held = number(group.resolve(second ? "memory.current" : "memory.usage_in_bytes"));
        if (limit < 0 || held < 0) {
            return Long.MAX_VALUE;
        }
        Path statistics = group.resolve("memory.stat");
        long files = field(statistics, second ? "file " : "total_cache ", 0);
        long shared = field(statistics, second ? "shmem " : "total_shmem ", 0);
        return Math.max(0, limit - held + Math.max(0, files - shared));
    }

    /** −1 where there is no number, such as {@code max}. */
    private static long number(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? -1 : number(lines.getFirst().strip());
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException unknown) {
            return -1;
        }
    }

    private static long field(Path file, String name, long otherwise) {
        for (String line : lines(file)) {
            if (line.startsWith(name)) {
                long value = number(line.substring(name.length()).strip().split(" ", 2)[0]);
                return value < 0 ? otherwise : value;
            }
        }
        return otherwise;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | SecurityException unknown) {
            return List.of();
        }
    }
}
