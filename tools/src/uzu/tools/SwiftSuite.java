package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests of bindings-swift-bridge, XCTest's and Swift Testing's, and the examples in Swift. */
record SwiftSuite(Workspace workspace) {
    static final String NAME = "swift";

    /** XCTest writes no report unless it runs each test in a process of its own. */
    private static final Pattern XCTEST =
            Pattern.compile("\\s*Executed (\\d+) tests?, with (?:(\\d+) tests? skipped and )?(\\d+) failures? .*");

    SuiteResult run() {
        if (System.getProperty("os.name").startsWith("Mac")) {
            return SuiteResult.leftOut(NAME, "the tests use the package's FoundationModels, where Apple has its own");
        }
        SwiftPackage swift = new SwiftPackage(workspace);
        Optional<String> missing = swift.toolchain().missing();
        if (missing.isPresent()) {
            return SuiteResult.leftOut(NAME, missing.get());
        }
        try {
            swift.toolchain().ensure();
        } catch (Failure failure) {
            return SuiteResult.leftOut(NAME, failure.getMessage());
        }
        swift.ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        if (new Models(workspace, python).ensureDefault().isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("building the Swift package and its tests");
        if (swift.build(swift.folder()).arguments(List.of("--build-tests")).run() != 0) {
            return SuiteResult.fault(NAME, "the Swift package does not compile");
        }
        Progress.say("Swift tests");
        SuiteResult tests = tests(swift);
        return sum(tests, examples(swift));
    }

    private SuiteResult tests(SwiftPackage swift) {
        // SwiftPM puts its own word before the ending.
        Path report = workspace.build().resolve("reports/swift.xml");
        Path written = workspace.build().resolve("reports/swift-swift-testing.xml");
        try {
            Files.createDirectories(report.getParent());
            Files.deleteIfExists(written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> last = new ArrayList<>();
        int status = swift.test("--skip-build", "--xunit-output", report)
                .with("UZU_JAVA_HOME", workspace.jdk())
                .run(line -> {
                    if (XCTEST.matcher(line).matches()) {
                        last.add(line);
                    }
                });
        if (last.isEmpty() || !Files.exists(written)) {
            return SuiteResult.fault(NAME, "swift test ended with status " + status + " and no report");
        }
        // Totals come last.
        SuiteResult result = sum(xctest(last.getLast()), JUnitReports.count(NAME, List.of(written)));
        return status == 0 || result.hasFailed() ? result : result.orFault("swift test ended with status " + status);
    }

    private static SuiteResult xctest(String line) {
        Matcher counts = XCTEST.matcher(line);
        if (!counts.matches()) {
            throw new IllegalArgumentException(line);
        }
        int skipped = counts.group(2) == null ? 0 : Integer.parseInt(counts.group(2));
        int failed = Integer.parseInt(counts.group(3));
        int passed = Integer.parseInt(counts.group(1)) - skipped - failed;
        Map<String, Integer> reasons = skipped == 0 ? Map.of() : Map.of("XCTest says why", skipped);
        // One test may fail several times.
        return new SuiteResult(NAME, Math.max(0, passed), failed, reasons, Optional.empty());
    }

    /** Each has to end well and to say something. */
    private SuiteResult examples(SwiftPackage swift) {
        Progress.say("Swift examples");
        if (swift.build(swift.examples()).run() != 0) {
            return SuiteResult.fault(NAME, "the examples do not compile");
        }
        int passed = 0;
        int failed = 0;
        for (Path example : Workspace.foldersIn(swift.examples())) {
            String name = example.getFileName().toString();
            if (!Files.isRegularFile(example.resolve("main.swift"))) {
                continue;
            }
            Optional<String> said = swift.program(name).outputWithErrorsShown();
            if (said.isPresent() && said.get().split("\\s+").length > 3) {
                passed++;
            } else {
                failed++;
                System.out.println("FAILED " + name + ": " + said.orElse("it ended with an error"));
            }
        }
        return new SuiteResult(NAME, passed, failed, Map.of(), Optional.empty());
    }

    private static SuiteResult sum(SuiteResult one, SuiteResult other) {
        Map<String, Integer> skipped = new HashMap<>(one.skipped());
        other.skipped().forEach((reason, count) -> skipped.merge(reason, count, Integer::sum));
        return new SuiteResult(
                NAME,
                one.passed() + other.passed(),
                one.failed() + other.failed(),
                skipped,
                one.fault().or(other::fault));
    }
}
