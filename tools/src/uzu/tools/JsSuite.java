package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        Path report = report();
        int status = node.node(
                        "--test",
                        "--expose-gc",
                        "--test-concurrency=2",
                        "--test-timeout=240000",
                        "--test-reporter=spec",
                        "--test-reporter-destination=stdout",
                        "--test-reporter=junit",
                        "--test-reporter-destination=" + report)
                .arguments(tests(tests))
                .in(workspace.js())
                .with("UZU_TARBALL", tarball)
                .with("UZU_TEST_FULL", full ? "1" : "")
                .run();
        if (!Files.exists(report)) {
            return SuiteResult.fault(NAME, "node --test ended with status " + status + " and no report");
        }
        SuiteResult result = JUnitReports.count(NAME, List.of(report));
        result = status == 0 || result.hasFailed() ? result : result.orFault("node --test ended with status " + status);
        return typed ? result : result.orFault("tsc refuses the tests of the types");
    }

    private Path report() {
        Path report = workspace.build().resolve("reports/js.xml");
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
