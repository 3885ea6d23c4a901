package uzu.tools;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** {@code test [suite ...] [--full]}: the suites, the peer's with {@code --full}; then a table of what they came to. */
record TestCommand(Workspace workspace) {
    private static final List<String> USUAL = List.of(
            "documents",
            "tools",
            "java",
            "c",
            NativeImageSuite.NAME,
            "python",
            "js",
            "kotlin",
            SwiftSuite.NAME,
            GraalPySuite.NAME,
            GraalJsSuite.NAME);
    private static final List<String> SUITES =
            Stream.concat(USUAL.stream(), Stream.of(PeerSuite.NAME)).toList();

    int run(List<String> arguments) {
        boolean full = arguments.contains("--full");
        List<String> chosen =
                arguments.stream().filter(each -> !each.equals("--full")).toList();
        for (String suite : chosen) {
            if (!SUITES.contains(suite)) {
                throw new Failure("the suites are " + String.join(", ", SUITES) + ", not " + suite, 2);
            }
        }
        List<String> suites = chosen.isEmpty() ? (full ? SUITES : USUAL) : chosen;
        long start = System.nanoTime();
        List<SuiteResult> results = new ArrayList<>();
        if (suites.contains("documents")) {
            results.add(new DocumentsSuite(workspace).run());
        }
        if (suites.contains("tools")) {
            results.add(tools());
            results.add(trainers());
        }
        if (suites.contains("java")) {
            results.addAll(java(full));
        }
        if (suites.contains("c")) {
            results.add(orFault("c", new CSuite(workspace, full)::run));
            results.add(orFault(InstalledLibrarySuite.NAME, new InstalledLibrarySuite(workspace)::run));
            results.add(orFault(SanitizedSuite.THREADS, new SanitizedSuite(workspace, full)::threads));
            results.add(orFault(SanitizedSuite.MEMORY, new SanitizedSuite(workspace, full)::memory));
        }
        if (suites.contains(NativeImageSuite.NAME)) {
            results.add(orFault(NativeImageSuite.NAME, new NativeImageSuite(workspace, full)::conformance));
            results.add(orFault(NativeImageSuite.PYTHON, new NativeImageSuite(workspace, full)::python));
            results.add(orFault(NativeImageSuite.JS, new NativeImageSuite(workspace, full)::js));
        }
        if (suites.contains("python")) {
            results.add(orFault("python", new PythonSuite(workspace, full)::run));
        }
        if (suites.contains("js")) {
            results.add(orFault("js", new JsSuite(workspace, full)::run));
        }
        if (suites.contains("kotlin")) {
            results.add(orFault("kotlin", new KotlinSuite(workspace, full)::run));
        }
        if (suites.contains(SwiftSuite.NAME)) {
            results.addAll(swift(full));
        }
        if (suites.contains(GraalPySuite.NAME)) {
            results.add(orFault(GraalPySuite.NAME, new GraalPySuite(workspace)::run));
        }
        if (suites.contains(GraalJsSuite.NAME)) {
            results.add(orFault(GraalJsSuite.NAME, new GraalJsSuite(workspace)::run));
        }
        if (suites.contains(PeerSuite.NAME)) {
            results.addAll(peer());
        }
        ResultTable table = new ResultTable(results, (System.nanoTime() - start) / 1e9);
        table.print();
        return table.isGreen() ? 0 : 1;
    }

    private SuiteResult tools() {
        if (Workspace.isWindows()) {
            return SuiteResult.leftOut("tools", "the launcher's test is a POSIX shell script");
        }
        Progress.say("tests of the launcher");
        return CountedChecks.run("tools", Subprocess.of("sh", workspace.tools().resolve("test/launcher_test.sh")));
    }

    /** Those of drafters' networks; torch is large, so that only those who train have it. */
    private SuiteResult trainers() {
        TrainingEnvironment environment = new TrainingEnvironment(workspace);
        if (!environment.hasTorch()) {
            return SuiteResult.leftOut("trainers", "torch is missing: tools/tools train-drafter installs it");
        }
        Progress.say("tests of the trainers");
        Path program = environment.programs().resolve("test_training.py");
        return CountedChecks.run("trainers", Subprocess.of(environment.interpreter(), "-B", program));
    }

    /** Java's tests run without Python too; those that compare with it then skip themselves. */
    private List<SuiteResult> java(boolean full) {
        List<SuiteResult> results = new ArrayList<>();
        Map<String, String> environment = new HashMap<>();
        PythonEnvironment python = new PythonEnvironment(workspace);
        try {
            python.ensureForTests();
            environment.putAll(python.variables());
            results.addAll(new TestMaterial(workspace, python).fetch());
            results.add(new Models(workspace, python).fetch(full));
        } catch (Failure failure) {
            results.add(SuiteResult.missing("comparisons with Python", failure.getMessage()));
        }
        new NativeBuild(workspace).ensureKernels();
        results.addAll(new JavaSuite(workspace, environment, full).run());
        results.add(orFault("java examples", new JavaExamples(workspace)::run));
        return results;
    }

    private List<SuiteResult> swift(boolean full) {
        try {
            return new SwiftSuite(workspace, full).run();
        } catch (Failure failure) {
            return List.of(SuiteResult.fault(SwiftSuite.NAME, failure.getMessage()));
        }
    }

    private List<SuiteResult> peer() {
        try {
            return new PeerSuite(workspace).run();
        } catch (Failure failure) {
            return List.of(SuiteResult.fault(PeerSuite.NAME, failure.getMessage()));
        }
    }

    /** One suite that cannot start must not hide what the others came to. */
    private static SuiteResult orFault(String name, Supplier<SuiteResult> suite) {
        try {
            return suite.get();
        } catch (Failure failure) {
            return SuiteResult.fault(name, failure.getMessage());
        }
    }
}
