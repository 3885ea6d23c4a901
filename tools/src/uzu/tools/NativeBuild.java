package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The C parts: kernels (the engine runs without them, slower) and libuzu (Python needs it). */
record NativeBuild(Workspace workspace) {
    /** Builds the kernels where a C compiler is, and says so where none is. */
    void ensureKernels() {
        Path script = workspace.engine().resolve("src/main/c/build.sh");
        if (!Files.exists(script)) {
            return;
        }
        Optional<Path> compiler = compiler();
        if (compiler.isEmpty()) {
            Progress.say("no C compiler found (cc, gcc or clang): the engine runs on its slow scalar kernels");
            return;
        }
        build("kernels", script, compiler.get());
    }

    /** Builds libuzu, or fails where no C compiler is. */
    void ensureLibrary() {
        Path compiler = compiler()
                .orElseThrow(() -> new Failure("a C compiler is missing, and libuzu needs one: install gcc or clang"
                        + " (on Debian and Ubuntu: apt install gcc libc6-dev)"));
        build("libuzu", workspace.bridge().resolve("src/main/c/build.sh"), compiler);
    }

    /** What was built: the libraries and the header. */
    List<Path> outputs() {
        return Workspace.filesBelow(folder());
    }

    Path folder() {
        return workspace.build().resolve("native");
    }

    static Optional<Path> compiler() {
        String chosen = System.getenv("CC");
        List<String> names = chosen != null && !chosen.isBlank() ? List.of(chosen) : List.of("cc", "gcc", "clang");
        return names.stream().flatMap(name -> Subprocess.find(name).stream()).findFirst();
    }

    private void build(String what, Path script, Path compiler) {
        Stamp stamp = Stamp.of(workspace, what, List.of(script.getParent()), compiler);
        if (stamp.isFresh() && Files.isDirectory(folder())) {
            return;
        }
        Progress.say("compiling " + what);
        Subprocess.of("sh", script, folder())
                .in(workspace.root())
                .with("CC", compiler)
                .with("JAVA_HOME", workspace.jdk())
                .orFail("compiling " + what + " failed: the reason is above");
        stamp.write();
    }
}
