package uzu.tools;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The C parts: kernels (the engine runs without them, slower) and libuzu (Python needs it). */
record NativeBuild(Workspace workspace) {
    /** Builds what can be built here. */
    void ensure() {
        ensureKernels();
        if (compiler().isPresent()) {
            ensureLibrary();
        }
    }

    /** Builds the kernels for this machine where a C compiler is, and says so where none is. */
    void ensureKernels() {
        new KernelBuild(workspace).ensure();
    }

    /** Builds libuzu, or fails where no C compiler is. */
    void ensureLibrary() {
        Path compiler = compiler()
                .orElseThrow(() -> new Failure("a C compiler is missing, and libuzu needs one: install gcc or clang"
                        + " (on Debian and Ubuntu: apt install gcc libc6-dev)"));
        Path sources = workspace.bridge().resolve("src/main/c");
        Stamp stamp = Stamp.of(workspace, "libuzu", List.of(sources), compiler);
        if (stamp.isFresh() && !Workspace.filesBelow(library()).isEmpty()) {
            return;
        }
        Progress.say("compiling libuzu");
        Workspace.delete(library());
        Subprocess.of("sh", sources.resolve("build.sh"), library())
                .in(workspace.root())
                .with("CC", compiler)
                .with("JAVA_HOME", workspace.jdk())
                .orFail("compiling libuzu failed: the reason is above");
        stamp.write();
    }

    /** The folder with libuzu and uzu.h. */
    Path library() {
        return workspace.bridge().resolve("target/native");
    }

    static Optional<Path> compiler() {
        String chosen = System.getenv("CC");
        List<String> names = chosen != null && !chosen.isBlank() ? List.of(chosen) : List.of("cc", "gcc", "clang");
        return names.stream().flatMap(name -> Subprocess.find(name).stream()).findFirst();
    }
}
