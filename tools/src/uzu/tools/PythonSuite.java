package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The pytest tests of bindings-python. */
record PythonSuite(Workspace workspace, boolean full) {
    private static final String NAME = "python";

    SuiteResult run() {
        PythonEnvironment python = new PythonEnvironment(workspace);
        if (full) {
            python.ensureForFullTests();
        } else {
            python.ensureForTests();
        }
        Path wheel = new PythonWheel(workspace).ensure();
        Progress.say("Python tests");
        Path report = workspace.build().resolve("reports/python.xml");
        Workspace.delete(report);
        int status = python.python("-m", "pytest", "-p", "no:faulthandler", "--junitxml", report)
                .arguments(full ? List.of() : List.of("-m", "not full"))
                .in(workspace.python())
                .with("UZU_WHEEL", wheel)
                .run();
        if (!Files.exists(report)) {
            return SuiteResult.fault(NAME, "pytest ended with status " + status + " and no report");
        }
        SuiteResult result = JUnitReports.count(NAME, List.of(report));
        return status == 0 || result.hasFailed() ? result : result.orFault("pytest ended with status " + status);
    }
}
