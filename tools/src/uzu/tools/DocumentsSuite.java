package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Markdown files against the repository: a code block below {@code <!-- file: path -->} is that file word for word,
 * and a link to a file leads to one.
 */
record DocumentsSuite(Workspace workspace) {
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- file: (\\S+) -->\\s*```\\w*\\n(.*?)\\n```", Pattern.DOTALL);
    private static final Pattern ANNOUNCED = Pattern.compile("<!-- file: ");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");

    SuiteResult run() {
        int passed = 0;
        List<String> faults = new ArrayList<>();
        for (Path document : documents()) {
            String text = read(document);
            int snippets = 0;
            for (Matcher matcher = SNIPPET.matcher(text); matcher.find(); snippets++) {
                Path file = workspace.root().resolve(matcher.group(1));
                if (Files.isRegularFile(file)
                        && read(file).strip().equals(matcher.group(2).strip())) {
                    passed++;
                } else {
                    faults.add(name(document) + ": the code block differs from " + matcher.group(1));
                }
            }
            if (snippets != ANNOUNCED.matcher(text).results().count()) {
                faults.add(name(document) + ": a <!-- file: … --> without a code block below it");
            }
            for (Matcher matcher = LINK.matcher(text); matcher.find(); ) {
                if (Files.exists(document.resolveSibling(matcher.group(1)))) {
                    passed++;
                } else {
                    faults.add(name(document) + ": nothing lies at " + matcher.group(1));
                }
            }
        }
        faults.forEach(System.out::println);
        return new SuiteResult("documents", passed, faults.size(), Map.of(), Optional.empty());
    }

    private List<Path> documents() {
        List<Path> documents = new ArrayList<>();
        for (String each : List.of(
                "README.md",
                "ci/README.md",
                "bindings-python/README.md",
                "bindings-js/README.md",
                "bindings-kotlin/README.md",
                "bindings-swift-bridge/README.md")) {
            documents.add(workspace.root().resolve(each));
        }
        Workspace.filesBelow(workspace.root().resolve("docs")).stream()
                .filter(file -> file.toString().endsWith(".md"))
                .forEach(documents::add);
        return documents;
    }

    private String name(Path document) {
        return workspace.root().relativize(document).toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
