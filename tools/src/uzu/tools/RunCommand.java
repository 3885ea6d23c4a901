package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code run <language> <file> …}: a user's script in the environment that the examples have. */
record RunCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (arguments.size() < 2) {
            throw new Failure("usage: tools/tools run <" + Language.names("|") + "> <file> [arguments]", 2);
        }
        Language language = Language.of(arguments.getFirst());
        Path file = Path.of(arguments.get(1)).toAbsolutePath().normalize();
        if (!Files.isRegularFile(file)) {
            throw new Failure("there is no file " + file);
        }
        return language.run(workspace, file, arguments.subList(2, arguments.size()));
    }
}
