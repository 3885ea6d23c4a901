package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tests of bindings-js: types by tsc, the rest by Node's own test runner. */
record JsSuite(Workspace workspace, boolean full) {
    private static final String NAME = "js";

    SuiteResult run() {
        NodeEnvironment node = new NodeEnvironment(workspace);
        Optional<String> missing = node.missing();
        if (missing.isPresent()) {
            return SuiteResult.missing(NAME, missing.get());
        }
        Path tarball = new JsTarball(workspace).ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        if (new Models(workspace, python).ensureDefault().isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("JavaScript tests");
        Path tests = workspace.js().resolve("test");
        boolean typed = node.tsc("--project", tests.resolve("types")).run() == 0;
        SuiteResult result = run(NAME, tests(tests), Map.of("UZU_TARBALL", tarball.toString()));
        return typed ? result : result.orFault("tsc refuses the tests of the types");
    }

    /** The tests with the library that a variable names. */
    SuiteResult over(Path library, String name, List<String> files) {
        new JsPackage(workspace).ensure();
        Path tests = workspace.js().resolve("test");
        return run(name, files.stream().map(tests::resolve).toList(), Map.of("UZU_LIBRARY", library.toString()));
    }

    private SuiteResult run(String name, List<Path> files, Map<String, String> variables) {
        Path report = report(name);
        int status = new NodeEnvironment(workspace)
                .node(
                        "--test",
                        "--expose-gc",
                        "--test-concurrency=2",
                        "--test-timeout=240000",
                        "--test-reporter=spec",
                        "--test-reporter-destination=stdout",
                        "--test-reporter=junit",
                        "--test-reporter-destination=" + report)
                .arguments(files)
                .in(workspace.js())
                .with(variables)
                .with("UZU_TEST_FULL", full ? "1" : "")
                .run();
        if (!Files.exists(report)) {
            return SuiteResult.fault(name, "node --test ended with status " + status + " and no report");
        }
        SuiteResult result = JUnitReports.count(name, List.of(report));
        return status == 0 || result.hasFailed() ? result : result.orFault("node --test ended with status " + status);
    }

    private Path report(String name) {
        Path report = workspace.build().resolve("reports").resolve(name.replace(' ', '-') + ".xml");
        try {
            Files.createDirectories(report.getParent());
            Files.deleteIfExists(report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return report;
    }

    private static List<Path> tests(Path folder) {
        return Workspace.filesBelow(folder).stream()
                .filter(file -> file.toString().endsWith(".test.mjs"))
                .toList();
    }
}
