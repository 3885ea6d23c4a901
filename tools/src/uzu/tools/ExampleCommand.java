package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** {@code example <java|python|js> <name> …}: examples/java/name/Name.java, or main.py or main.mjs of the others. */
record ExampleCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (arguments.isEmpty()) {
            throw new Failure("usage: tools/tools example <java|python|js> <name> [arguments]", 2);
        }
        String language = arguments.getFirst();
        Path folder = workspace.root().resolve("examples").resolve(language);
        if (!Files.isDirectory(folder)) {
            throw new Failure("there are no examples for " + language + ", but for " + namesIn(folder.getParent()), 2);
        }
        String name = arguments.size() > 1 ? arguments.get(1) : "";
        Path file = file(folder, name);
        if (name.isEmpty() || !Files.isRegularFile(file)) {
            throw new Failure("the " + language + " examples are " + namesIn(folder), 2);
        }
        return new RunCommand(workspace).run(language, file, arguments.subList(2, arguments.size()));
    }

    /** The program of an example in the folder of its language. */
    static Path file(Path folder, String name) {
        return folder.resolve(name)
                .resolve(
                        switch (folder.getFileName().toString()) {
                            case "java" -> className(name) + ".java";
                            case "js" -> "main.mjs";
                            default -> "main.py";
                        });
    }

    private static String namesIn(Path folder) {
        return Workspace.foldersIn(folder).stream()
                .map(each -> each.getFileName().toString())
                .collect(Collectors.joining(", "));
    }

    /** quick-start → QuickStart. */
    private static String className(String name) {
        return Arrays.stream(name.split("-"))
                .filter(word -> !word.isEmpty())
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }
}
