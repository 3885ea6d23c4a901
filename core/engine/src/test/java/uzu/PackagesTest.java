package uzu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order of the packages, as docs/architecture.md has it: each uses those below it. */
class PackagesTest {
    private static final Path ROOT = Path.of("src/main/java");

    private static final List<String> TOP_DOWN = List.of(
            "uzu.engine",
            "uzu.chat.parse",
            "uzu.chat",
            "uzu.chat.jinja",
            "uzu.grammar",
            "uzu.generate",
            "uzu.speculate",
            "uzu.registry",
            "uzu.tokenizer",
            "uzu.model",
            "uzu.backend.cpu",
            "uzu.backend",
            "uzu.format",
            "uzu");
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(uzu(?:\\.[a-z]+)*)\\.[A-Z]", Pattern.MULTILINE);

    @Test
    void packagesUseOnlyThoseBelow() throws IOException {
        List<String> against = new ArrayList<>();
        for (Path file : sources()) {
            String user = packageOf(file);
            for (String used : imports(file)) {
                if (TOP_DOWN.indexOf(used) < TOP_DOWN.indexOf(user)) {
                    against.add(file + " uses " + used);
                }
            }
        }
        assertEquals(List.of(), against);
    }

    @Test
    void onlyTheEngineKnowsWhichBackendRuns() throws IOException {
        List<String> against = new ArrayList<>();
        for (Path file : sources()) {
            String user = packageOf(file);
            if (imports(file).contains("uzu.backend.cpu")
                    && !List.of("uzu.engine", "uzu.backend.cpu").contains(user)) {
                against.add(file.toString());
            }
        }
        assertEquals(List.of(), against);
    }

    @Test
    void everyPackageHasItsPlaceInTheOrder() throws IOException {
        assertEquals(
                TOP_DOWN.stream().sorted().toList(),
                sources().stream()
                        .map(PackagesTest::packageOf)
                        .distinct()
                        .sorted()
                        .toList());
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("uzu"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String packageOf(Path file) {
        return ROOT.relativize(file.getParent())
                .toString()
                .replace(file.getFileSystem().getSeparator(), ".");
    }

    private static List<String> imports(Path file) throws IOException {
        Matcher matcher = IMPORT.matcher(Files.readString(file));
        return matcher.results().map(found -> found.group(1)).toList();
    }
}
