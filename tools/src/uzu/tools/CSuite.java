package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The conformance test of uzu.h against libuzu, on the default model. */
record CSuite(Workspace workspace) {
    private static final String NAME = "c";

    SuiteResult run() {
        Optional<Path> compiler = NativeBuild.compiler();
        if (compiler.isEmpty()) {
            return SuiteResult.missing(NAME, "no C compiler: install gcc or clang");
        }
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        NativeBuild natives = new NativeBuild(workspace);
        natives.ensureKernels();
        natives.ensureLibrary();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        Optional<String> model = new Models(workspace, python).ensureDefault();
        if (model.isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("C tests");
        Path program = compile(compiler.get(), natives.library());
        return CountedChecks.run(
                NAME,
                Subprocess.of(program, model.get())
                        .with("UZU_CLASSPATH", java.classPath())
                        .with("UZU_JAVA_HOME", workspace.jdk()));
    }

    private Path compile(Path compiler, Path library) {
        Path program = workspace.build().resolve("c-tests/conformance");
        try {
            Files.createDirectories(program.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Subprocess.of(compiler, "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o", program)
                .arguments(List.of(workspace.bridge().resolve("src/test/c/conformance.c")))
                .arguments(List.of("-I" + library, "-L" + library, "-luzu", "-lpthread", "-Wl,-rpath," + library))
                .orFail("the C conformance test does not compile");
        return program;
    }
}
