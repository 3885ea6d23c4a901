package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conformance tests of uzu.h, compiled and run: a program a file, which fails by its exit status. */
record CSuite(Workspace workspace) {
    private static final String NAME = "c";

    SuiteResult run() {
        Optional<Path> compiler = NativeBuild.compiler();
        if (compiler.isEmpty()) {
            return SuiteResult.missing(NAME, "no C compiler: install gcc or clang");
        }
        new JavaBuild(workspace).ensure();
        NativeBuild natives = new NativeBuild(workspace);
        natives.ensureKernels();
        natives.ensureLibrary();
        List<Path> sources = Workspace.filesBelow(workspace.bridge().resolve("src/test/c")).stream()
                .filter(file -> file.toString().endsWith(".c"))
                .toList();
        Progress.say("C tests");
        int passed = 0;
        int failed = 0;
        for (Path source : sources) {
            boolean good = compileAndRun(compiler.get(), source, natives.library());
            passed += good ? 1 : 0;
            failed += good ? 0 : 1;
        }
        SuiteResult result = new SuiteResult(NAME, passed, failed, Map.of(), Optional.empty());
        return sources.isEmpty() ? result.orFault("ran no tests") : result;
    }

    private boolean compileAndRun(Path compiler, Path source, Path libraries) {
        Path program = workspace
                .build()
                .resolve("c-tests")
                .resolve(source.getFileName().toString().replace(".c", ""));
        try {
            Files.createDirectories(program.getParent());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        int status = Subprocess.of(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", program, source)
                .arguments(List.of("-I" + libraries, "-L" + libraries, "-luzu", "-lpthread", "-Wl,-rpath," + libraries))
                .run();
        return status == 0
                && Subprocess.of(program)
                                .with("UZU_CLASSPATH", new JavaBuild(workspace).classPath())
                                .with("UZU_JAVA_HOME", workspace.jdk())
                                .run()
                        == 0;
    }
}
