package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code run <java|python|js> <file> …}: a user's script in the environment that the examples have. */
record RunCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (arguments.size() < 2) {
            throw new Failure("usage: tools/tools run <java|python|js> <file> [arguments]", 2);
        }
        Path file = Path.of(arguments.get(1)).toAbsolutePath().normalize();
        if (!Files.isRegularFile(file)) {
            throw new Failure("there is no file " + file);
        }
        return run(arguments.getFirst(), file, arguments.subList(2, arguments.size()));
    }

    int run(String language, Path file, List<String> arguments) {
        return switch (language) {
            case "java" -> new JavaProgram(workspace, file).run(arguments);
            case "python" -> {
                new PythonPackage(workspace).ensure();
                yield new PythonEnvironment(workspace)
                        .python(file)
                        .arguments(arguments)
                        .run();
            }
            case "js" -> {
                new JsPackage(workspace).ensure();
                yield new NodeEnvironment(workspace)
                        .node("--import", workspace.tools().resolve("js/register.mjs"), file)
                        .arguments(arguments)
                        .run();
            }
            default -> throw new Failure("run knows java, python and js, not " + language, 2);
        };
    }
}
