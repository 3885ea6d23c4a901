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

    /** Builds the kernels where a C compiler is, and says so where none is. */
    void ensureKernels() {
        Optional<Path> compiler = compiler();
        if (compiler.isEmpty()) {
            Progress.say("no C compiler found (cc, gcc or clang): the engine runs on its slow scalar kernels");
            return;
        }
        build("kernels", workspace.engine(), kernels(), List.of(), compiler.get());
    }

    /** Builds libuzu, or fails where no C compiler is. */
    void ensureLibrary() {
        Path compiler = compiler()
                .orElseThrow(() -> new Failure("a C compiler is missing, and libuzu needs one: install gcc or clang"
                        + " (on Debian and Ubuntu: apt install gcc libc6-dev)"));
        build("libuzu", workspace.bridge(), library(), List.of(library()), compiler);
    }

    /** The folder with the kernels in a folder for the platform; the engine looks for it beside its jar. */
    Path kernels() {
        return workspace.engine().resolve("target/native");
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

    private void build(String what, Path module, Path output, List<Path> arguments, Path compiler) {
        Path sources = module.resolve("src/main/c");
        Stamp stamp = Stamp.of(workspace, what, List.of(sources), compiler);
        if (stamp.isFresh() && !Workspace.filesBelow(output).isEmpty()) {
            return;
        }
        Progress.say("compiling " + what);
        Workspace.delete(output);
        Subprocess.of("sh", sources.resolve("build.sh"))
                .arguments(arguments)
                .in(workspace.root())
                .with("CC", compiler)
                .with("JAVA_HOME", workspace.jdk())
                .orFail("compiling " + what + " failed: the reason is above");
        stamp.write();
    }
}
