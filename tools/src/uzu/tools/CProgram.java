package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program in C over uzu.h: a file, or all in a folder. */
record CProgram(Workspace workspace, Path path) {
    static CProgram conformance(Workspace workspace) {
        return new CProgram(workspace, workspace.bridge().resolve("src/test/c/conformance"));
    }

    /** What the compiler is given. */
    List<Path> sources() {
        return Workspace.filesBelow(path).stream()
                .filter(file -> file.toString().endsWith(".c"))
                .toList();
    }

    /** Compiled, with the embedded JVM's libuzu; its arguments follow. */
    Subprocess prepared() {
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        NativeBuild natives = new NativeBuild(workspace);
        natives.ensureLibrary();
        return Subprocess.of(compiled(natives.library()))
                .with("UZU_CLASSPATH", java.classPath())
                .with("UZU_JAVA_HOME", workspace.jdk());
    }

    /**
     * The program, compiled against the libuzu in a folder.
     *
     * @param options more of the compiler's
     */
    Path compiled(Path library, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("-L" + library, "-luzu", "-lpthread", "-Wl,-rpath," + library));
        return compiled(library, all);
    }

    /** The program, compiled with the header in a folder: it loads the library itself. */
    Path loading(Path library) {
        return compiled(library, List.of("-lpthread", "-ldl"));
    }

    private Path compiled(Path library, List<String> options) {
        Path compiler = NativeBuild.compiler().orElseThrow(() -> new Failure("no C compiler: install gcc or clang"));
        Path program = workspace
                .build()
                .resolve("c-programs")
                .resolve(Integer.toHexString(library.hashCode()))
                .resolve(path.getParent().getFileName() + "-"
                        + path.getFileName().toString().replaceFirst("\\.c$", ""));
        try {
            Files.createDirectories(program.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Subprocess.of(compiler, "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o", program)
                .arguments(sources())
                .arguments(List.of("-I" + library))
                .arguments(options)
                .orFail("the C program " + path + " does not compile");
        return program;
    }
}
