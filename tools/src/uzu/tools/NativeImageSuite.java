package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The native image's libuzu, where a GraalVM is: the conformance test of uzu.h, and what Python and Node.js do with it. */
record NativeImageSuite(Workspace workspace, boolean full) {
    static final String NAME = "native-image";
    static final String PYTHON = NAME + " python";
    static final String JS = NAME + " js";

    /** Tests of the package's own parts say nothing here. */
    private static final List<String> TESTS = List.of(
            "tests/test_engine.py",
            "tests/test_chat.py",
            "tests/test_structured_output.py",
            "tests/test_tool_loop.py",
            "tests/test_process.py",
            "tests/test_download.py");

    private static final List<String> JS_TESTS =
            List.of("engine.test.mjs", "chat.test.mjs", "tools.test.mjs", "process.test.mjs");

    SuiteResult conformance() {
        NativeImage image = new NativeImage(workspace);
        if (image.command().isEmpty()) {
            return SuiteResult.leftOut(NAME, NativeImage.MISSING);
        }
        image.ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        Optional<String> model = new Models(workspace, python).ensureDefault();
        if (model.isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("C tests of the native image");
        return new CSuite(workspace, full).over(NAME, image.library(), model.get(), Map.of());
    }

    SuiteResult js() {
        NativeImage image = new NativeImage(workspace);
        if (image.command().isEmpty()) {
            return SuiteResult.leftOut(JS, NativeImage.MISSING);
        }
        Optional<String> missing = new NodeEnvironment(workspace).missing();
        if (missing.isPresent()) {
            return SuiteResult.missing(JS, missing.get());
        }
        image.ensure();
        Progress.say("JavaScript tests over the native image");
        return new JsSuite(workspace, full).over(image.file(), JS, JS_TESTS);
    }

    SuiteResult python() {
        NativeImage image = new NativeImage(workspace);
        if (image.command().isEmpty()) {
            return SuiteResult.leftOut(PYTHON, NativeImage.MISSING);
        }
        image.ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensureForTests();
        Progress.say("Python tests over the native image");
        Path report = workspace.build().resolve("reports/native-image-python.xml");
        Workspace.delete(report);
        int status = python.python("-m", "pytest", "-k", "not java", "--junitxml", report)
                .arguments(full ? List.of() : List.of("-m", "not full"))
                .arguments(TESTS)
                .with("UZU_LIBRARY", image.file())
                .in(workspace.python())
                .run();
        if (!Files.exists(report)) {
            return SuiteResult.fault(PYTHON, "pytest ended with status " + status + " and no report");
        }
        SuiteResult result = JUnitReports.count(PYTHON, List.of(report));
        return status == 0 || result.hasFailed() ? result : result.orFault("pytest ended with status " + status);
    }
}
