package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program in C over uzu.h, in one file. */
record CProgram(Workspace workspace, Path file) {
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
        Path compiler = NativeBuild.compiler().orElseThrow(() -> new Failure("no C compiler: install gcc or clang"));
        Path program = workspace
                .build()
                .resolve("c-programs")
                .resolve(Integer.toHexString(library.hashCode()))
                .resolve(file.getParent().getFileName() + "-"
                        + file.getFileName().toString().replaceFirst("\\.c$", ""));
        try {
            Files.createDirectories(program.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Subprocess.of(compiler, "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o", program, file)
                .arguments(List.of(options))
                .arguments(List.of("-I" + library, "-L" + library, "-luzu", "-lpthread", "-Wl,-rpath," + library))
                .orFail("the C program " + file + " does not compile");
        return program;
    }
}
