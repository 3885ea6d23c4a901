package uzu.tools;

import java.util.List;

/** {@code setup}: everything that the other commands would otherwise make when they first need it. */
record SetupCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new Failure("usage: tools/tools setup", 2);
        }
        new BuildCommand(workspace).run(List.of());
        new PythonEnvironment(workspace).ensureForTests();
        return 0;
    }
}
