package uzu.tools;

import java.util.List;

/** {@code install swift}: a toolchain that is large, and that only those fetch who need it. */
record InstallCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (!arguments.equals(List.of("swift"))) {
            throw new Failure("usage: tools/tools install swift", 2);
        }
        SwiftToolchain swift = new SwiftToolchain(workspace);
        swift.ensure();
        Progress.say(swift.version());
        return 0;
    }
}
