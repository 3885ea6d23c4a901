package uzu.tools;

import java.nio.file.Path;
import java.util.List;

/**
 * {@code install swift}: a toolchain that is large, and that only those fetch who need it. {@code install library}: libuzu
 * for programs that don't live in the repository.
 */
record InstallCommand(Workspace workspace) {
    int run(List<String> arguments) {
        String what = arguments.isEmpty() ? "" : arguments.getFirst();
        if (what.equals("swift") && arguments.size() == 1) {
            SwiftToolchain swift = new SwiftToolchain(workspace);
            swift.ensure();
            Progress.say(swift.version());
        } else if (what.equals("library") && arguments.size() <= 2) {
            Path folder = arguments.size() == 2
                    ? Path.of(arguments.get(1)).toAbsolutePath().normalize()
                    : InstalledLibrary.usual();
            new InstalledLibrary(workspace, folder).install();
        } else {
            throw new Failure("usage: tools/tools install swift, or: tools/tools install library [FOLDER]", 2);
        }
        return 0;
    }
}
