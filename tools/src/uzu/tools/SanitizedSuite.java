package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The C of libuzu under sanitizers: from many threads over a host of stand-ins, since they know nothing of a JVM's own
 * memory and threads; and with {@code full} the whole conformance test with a JVM, watching the memory of C.
 */
record SanitizedSuite(Workspace workspace, boolean full) {
    static final String THREADS = "c threads";
    static final String MEMORY = "c memory";

    private static final List<String> SHIM = List.of("functions.c", "result.c", "caller_stack.c", "library.c");
    private static final List<String> JVM_HOST =
            List.of("host_jvm.c", "jvm_home.c", "jvm_classes.c", "jvm_locale.c", "jvm_start.c", "jvm_signals.c");

    SuiteResult threads() {
        return standIn(THREADS, "thread");
    }

    SuiteResult memory() {
        SuiteResult shim = standIn(MEMORY, "address,undefined");
        return full && !shim.hasFailed() && shim.skippedCount() == 0 ? conformance() : shim;
    }

    private SuiteResult standIn(String name, String sanitizer) {
        Path test = workspace.bridge().resolve("src/test/c/stand_in.c");
        List<Object> sources = new ArrayList<>(List.of(test));
        sources.addAll(SHIM.stream().map(this::source).toList());
        Path program = program(sanitizer + "-stand-in");
        if (compile(sanitizer, program, sources) != 0) {
            return SuiteResult.leftOut(name, "the C compiler has no -fsanitize=" + sanitizer);
        }
        Progress.say("libuzu's C under -fsanitize=" + sanitizer);
        return CountedChecks.run(name, Subprocess.of(program).with("UBSAN_OPTIONS", "halt_on_error=1"));
    }

    /** The JVM has handlers of faults of its own, and memory that is never freed. */
    private SuiteResult conformance() {
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        String model = new Models(workspace, python).ensureDefault().orElse("");
        if (model.isEmpty()) {
            return SuiteResult.missing(MEMORY, "the model " + Models.DEFAULT + " could not be fetched");
        }
        String system = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
        Path headers = workspace.jdk().resolve("include");
        List<Object> sources = new ArrayList<>(List.of("-I" + headers, "-I" + headers.resolve(system)));
        sources.addAll(CProgram.conformance(workspace).sources());
        sources.addAll(SHIM.stream().map(this::source).toList());
        sources.addAll(JVM_HOST.stream().map(this::source).toList());
        Path program = program("address-conformance");
        if (compile("address", program, sources) != 0) {
            return SuiteResult.fault(MEMORY, "the conformance test does not compile with -fsanitize=address");
        }
        Progress.say("the conformance test under -fsanitize=address");
        return CountedChecks.run(
                MEMORY,
                Subprocess.of(program, model)
                        .with("ASAN_OPTIONS", "handle_segv=0:detect_leaks=0")
                        .with("UZU_CLASSPATH", java.classPath())
                        .with("UZU_JAVA_HOME", workspace.jdk()));
    }

    private int compile(String sanitizer, Path program, List<Object> sources) {
        Path compiler = NativeBuild.compiler().orElseThrow(() -> new Failure("no C compiler: install gcc or clang"));
        return Subprocess.of(
                        compiler, "-std=c11", "-O1", "-g", "-fsanitize=" + sanitizer, "-Wall", "-Wextra", "-Werror")
                .arguments(List.of("-Wno-unused-parameter", "-DUZU_VERSION=\"0.0.0\"", "-I" + source("")))
                .arguments(sources)
                .arguments(List.of("-o", program, "-lpthread", "-ldl"))
                .run();
    }

    private Path source(String name) {
        return workspace.bridge().resolve("src/main/c").resolve(name);
    }

    private Path program(String name) {
        Path program = workspace.build().resolve("c-programs").resolve(name.replace(',', '-'));
        try {
            Files.createDirectories(program.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return program;
    }
}
