package uzu.tools;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** GraalPy: the Python examples, and those tests of bindings-python that are of the package rather than of CPython. */
record GraalPySuite(Workspace workspace) {
    static final String NAME = "graalpy";
    private static final List<String> TESTS = List.of(
            "test_values.py", "test_engine.py", "test_chat.py", "test_tool_loop.py", "test_sync.py", "test_parity.py");

    SuiteResult run() {
        PolyglotBuild polyglot = new PolyglotBuild(workspace);
        try {
            polyglot.ensure();
        } catch (Failure failure) {
            return SuiteResult.missing(NAME, failure.getMessage());
        }
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensureForTests();
        if (new Models(workspace, python).ensureDefault().isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("Python examples on GraalPy");
        PolyglotExamples examples = PolyglotExamples.run(workspace, NAME, polyglot::python);
        Progress.say("Python tests on GraalPy");
        Path report = workspace.build().resolve("reports/graalpy.xml");
        Workspace.delete(report);
        Path packages = python.packages();
        String path = workspace.python().resolve("src") + File.pathSeparator + packages;
        int status = polyglot.python(packages.resolve("pytest/__main__.py"))
                .arguments(List.of("-m", "not full", "--quiet", "--junitxml", report))
                .arguments(TESTS.stream().map(each -> "tests/" + each).toList())
                .in(workspace.python())
                .with("PYTHONPATH", path)
                // What other packages add to pytest is CPython's.
                .with("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
                .run();
        if (!Files.exists(report)) {
            return SuiteResult.fault(NAME, "pytest ended with status " + status + " and no report");
        }
        SuiteResult result = examples.with(JUnitReports.count(NAME, List.of(report)));
        return status == 0 || result.hasFailed() ? result : result.orFault("pytest ended with status " + status);
    }
}
