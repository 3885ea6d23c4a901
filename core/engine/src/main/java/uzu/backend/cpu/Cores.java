package uzu.backend.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The physical cores that this process may use. A quota that isn't a whole number is rounded down, where the JVM rounds
 * up: with 1.5 processors two threads, stopped together when it is used up, decoded 115 tokens/s and one 159.
 */
final class Cores {
    private static final Path CPUS = Path.of("/sys/devices/system/cpu");

    private Cores() {}

    /** At least 1. The JVM counts the affinity mask and the container's quota, but hyperthreads as well. */
    static int available() {
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), quota(Path.of("/")));
        int cores = allowedCores();
        return Math.max(1, cores == 0 ? threads : Math.min(threads, cores));
    }

    /** Whole processors that the control groups of this process allow, at least 1; of either version. */
    static int quota(Path root) {
        double least = Integer.MAX_VALUE;
        try {
            for (String line : Files.readAllLines(root.resolve("proc/self/cgroup"))) {
                String[] fields = line.split(":", 3);
                if (fields.length == 3 && fields[1].isEmpty()) {
                    least = Math.min(least, upwards(root.resolve("sys/fs/cgroup"), fields[2], Cores::second));
                } else if (fields.length == 3 && List.of(fields[1].split(",")).contains("cpu")) {
                    least = Math.min(least, upwards(root.resolve("sys/fs/cgroup/cpu"), fields[2], Cores::first));
                }
            }
        } catch (IOException | SecurityException unknown) {
            return Integer.MAX_VALUE;
        }
        return Math.max(1, (int) least);
    }

    /** A quota holds for all groups inside; in a container the outer ones, and their names, may be hidden. */
    private static double upwards(Path mount, String name, ToDoubleFunction<Path> quota) {
        double least = quota.applyAsDouble(mount);
        Path group = mount.resolve(name.replaceFirst("^/+", "")).normalize();
        while (group != null && group.startsWith(mount) && !group.equals(mount)) {
            least = Math.min(least, quota.applyAsDouble(group));
            group = group.getParent();
        }
        return least;
    }

    private static double second(Path group) {
        return ratio(text(group.resolve("cpu.max")).split(" ", 2));
    }

    private static double first(Path group) {
        return ratio(text(group.resolve("cpu.cfs_quota_us")), text(group.resolve("cpu.cfs_period_us")));
    }

    private static double ratio(String... quotaAndPeriod) {
        try {
            double quota = Double.parseDouble(quotaAndPeriod[0]);
            return quota <= 0 ? Integer.MAX_VALUE : quota / Double.parseDouble(quotaAndPeriod[1]);
        } catch (NumberFormatException | IndexOutOfBoundsException none) {
            return Integer.MAX_VALUE;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException | SecurityException unknown) {
            return "";
        }
    }

    /** Distinct sets of sibling hyperthreads among the processors of the affinity mask; 0 if unknown. */
    private static int allowedCores() {
        try {
            Set<String> siblings = new HashSet<>();
            for (String range : allowedProcessors().split(",")) {
                String[] ends = range.split("-", 2);
                int last = Integer.parseInt(ends[ends.length - 1]);
                for (int cpu = Integer.parseInt(ends[0]); cpu <= last; cpu++) {
                    siblings.add(Files.readString(CPUS.resolve("cpu" + cpu + "/topology/thread_siblings_list")));
                }
            }
            return siblings.size();
        } catch (IOException | NumberFormatException | SecurityException unknown) {
            return 0;
        }
    }

    private static String allowedProcessors() throws IOException {
        String name = "Cpus_allowed_list:";
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(name)) {
                return line.substring(name.length()).strip();
            }
        }
        throw new IOException(name + " not found");
    }
}
