package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** {@code example <language> <name> …}: examples/java/name/Name.java, or main.py or main.mjs of the others. */
record ExampleCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (arguments.isEmpty()) {
            throw new Failure("usage: tools/tools example <" + Language.names("|") + "> <name> [arguments]", 2);
        }
        Language language = Language.of(arguments.getFirst());
        String name = arguments.size() > 1 ? arguments.get(1) : "";
        Path file = language.example(workspace, name);
        if (name.isEmpty() || !Files.isRegularFile(file)) {
            String names = Workspace.foldersIn(language.folder(workspace)).stream()
                    .map(each -> each.getFileName().toString())
                    .collect(Collectors.joining(", "));
            throw new Failure("the " + language.name() + " examples are " + names, 2);
        }
        return language.run(workspace, file, arguments.subList(2, arguments.size()));
    }
}
