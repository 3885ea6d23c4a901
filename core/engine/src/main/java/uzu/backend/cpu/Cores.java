package uzu.backend.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** The physical cores that this process may use. */
final class Cores {
    private static final Path CPUS = Path.of("/sys/devices/system/cpu");

    private Cores() {}

    /** At least 1. The JVM counts the affinity mask and the container's quota, but hyperthreads as well. */
    static int available() {
        int threads = Runtime.getRuntime().availableProcessors();
        int cores = allowedCores();
        return Math.max(1, cores == 0 ? threads : Math.min(threads, cores));
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
