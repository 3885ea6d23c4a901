package uzu.tools;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The tests of bindings-kotlin, on every transport that there is here, and the Kotlin examples. */
record KotlinSuite(Workspace workspace, boolean full) {
    private static final String NAME = "kotlin";

    SuiteResult run() {
        KotlinBuild kotlin = new KotlinBuild(workspace);
        kotlin.ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        if (new Models(workspace, python).ensureDefault().isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("Kotlin tests");
        Path reports = kotlin.module().resolve("target/surefire-reports");
        Workspace.delete(reports);
        int status = kotlin.maven("package", "-Duzu.excludedTests=" + (full ? "" : "full"))
                .with(libraries(kotlin))
                .run();
        List<Path> found = Workspace.filesBelow(reports).stream()
                .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                .toList();
        if (found.isEmpty()) {
            return SuiteResult.fault(NAME, "ran no tests: the reason is in Maven's output above");
        }
        SuiteResult result = JUnitReports.count(NAME, found);
        result = examples(result);
        return status == 0 || result.hasFailed() ? result : result.orFault("Maven ended with status " + status);
    }

    /** What the tests reach the engine through beside this JVM: libuzu that joins it, and libuzu without a JVM. */
    private Map<String, String> libraries(KotlinBuild kotlin) {
        Map<String, String> variables = new HashMap<>();
        String library = System.mapLibraryName("uzu");
        if (NativeBuild.compiler().isPresent() && !Workspace.isWindows()) {
            Path host = kotlin.module().resolve("target/host");
            new NativeFolder(workspace, NAME, host).ensure();
            variables.put("UZU_HOST_LIBRARY", host.resolve(library).toString());
        }
        NativeImage image = new NativeImage(workspace);
        if (image.command().isPresent()) {
            image.ensure();
            variables.put("UZU_NATIVE_LIBRARY", image.library().resolve(library).toString());
        }
        oldJava().ifPresent(java -> variables.put("UZU_OLD_JAVA", java.toString()));
        return variables;
    }

    /** The java on the PATH, if it is one that the package runs on and the engine doesn't. */
    private static Optional<Path> oldJava() {
        return Subprocess.find("java").filter(java -> {
            String version = Subprocess.of(java, "--version").output().orElse("");
            return Pattern.compile("^\\S+ (1[7-9]|2[0-4])\\b").matcher(version).find();
        });
    }

    private SuiteResult examples(SuiteResult tests) {
        int passed = tests.passed();
        int failed = tests.failed();
        Path folder = Language.of(NAME).folder(workspace);
        for (Path example : Workspace.foldersIn(folder)) {
            String name = example.getFileName().toString();
            Optional<String> said = new KotlinProgram(
                            workspace, Language.of(NAME).example(workspace, name))
                    .prepared()
                    .outputWithErrorsShown();
            if (said.isPresent() && said.get().split("\\s+").length > 3) {
                passed++;
            } else {
                failed++;
                System.out.println("FAILED " + name + ": " + said.orElse("it ended with an error"));
            }
        }
        return new SuiteResult(NAME, passed, failed, tests.skipped(), tests.fault());
    }
}
