package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The conformance test of uzu.h against libuzu, on the default model; its last line counts its checks. */
record CSuite(Workspace workspace) {
    private static final String NAME = "c";
    private static final Pattern COUNTS = Pattern.compile("(\\d+) passed, (\\d+) failed.*");

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
        AtomicReference<String> last = new AtomicReference<>("");
        int status = Subprocess.of(program, model.get())
                .with("UZU_CLASSPATH", java.classPath())
                .with("UZU_JAVA_HOME", workspace.jdk())
                .run(last::set);
        Matcher counts = COUNTS.matcher(last.get());
        if (!counts.matches()) {
            return SuiteResult.fault(NAME, "the conformance test ended with status " + status + " and no count");
        }
        int passed = Integer.parseInt(counts.group(1));
        int failed = Integer.parseInt(counts.group(2));
        SuiteResult result = new SuiteResult(NAME, passed, failed, Map.of(), Optional.empty());
        return status == 0 || failed > 0 ? result : result.orFault("ended with status " + status);
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
