package uzu.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

/**
 * Where and when a measurement was made.
 *
 * @param revision of the repository, as tools/tools says it; empty if unknown
 */
public record Machine(
        String processor, int cores, long memory, String system, String jdk, String revision, String date) {
    public static Machine here() {
        return new Machine(
                field("/proc/cpuinfo", "model name", System.getProperty("os.arch")),
                Runtime.getRuntime().availableProcessors(),
                Long.parseLong(field("/proc/meminfo", "MemTotal", "0").split(" ", 2)[0]) << 10,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Runtime.version().toString(),
                System.getProperty("uzu.revision", ""),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    public String line() {
        return "%s, %d cores, JDK %s, revision %s, %s"
                .formatted(processor, cores, jdk, revision.isEmpty() ? "unknown" : revision, date);
    }

    /** What stands after the colon of the first line that begins with {@code name}. */
    static String field(String file, String name, String otherwise) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(otherwise);
        } catch (IOException | java.io.UncheckedIOException unknown) {
            return otherwise;
        }
    }
}
