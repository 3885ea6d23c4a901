package uzu.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/** What the operating system calls this machine's processor. */
final class Processor {
    private static final Path LINUX = Path.of("/proc/cpuinfo");

    private Processor() {}

    /** The architecture, where it has no name to be had without another program. */
    static String name() {
        // Windows'.
        String windows = System.getenv("PROCESSOR_IDENTIFIER");
        return windows == null ? linux() : windows;
    }

    private static String linux() {
        String unknown = Objects.requireNonNullElse(System.getProperty("os.arch"), "unknown");
        try (Stream<String> lines = Files.lines(LINUX)) {
            return lines.filter(line -> line.startsWith("model name") || line.startsWith("CPU part"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(unknown);
        } catch (IOException | UncheckedIOException e) {
            return unknown;
        }
    }
}
