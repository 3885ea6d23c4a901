package uzu.tools;

import java.util.List;

/** {@code format}: the Java sources in the one format that the tests accept. */
record FormatCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new Failure("usage: tools/tools format", 2);
        }
        return new Maven(workspace)
                .goals("--quiet", "-Ppolyglot", "spotless:apply")
                .run();
    }
}
