package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests of bindings-swift-bridge, XCTest's and Swift Testing's, and the examples in Swift. */
record SwiftSuite(Workspace workspace, boolean full) {
    static final String NAME = "swift";
    private static final String NATIVE_IMAGE = "native-image swift";

    /** XCTest writes no report unless it runs each test in a process of its own. */
    private static final Pattern XCTEST =
            Pattern.compile("\\s*Executed (\\d+) tests?, with (?:(\\d+) tests? skipped and )?(\\d+) failures? .*");

    List<SuiteResult> run() {
        SuiteResult tests = overJvm();
        boolean isLeftOut = tests.passed() + tests.failed() == 0;
        return isLeftOut ? List.of(tests) : List.of(tests, overNativeImage());
    }

    /** The same tests, without a JVM. */
    private SuiteResult overNativeImage() {
        NativeImage image = new NativeImage(workspace);
        if (image.command().isEmpty()) {
            return SuiteResult.leftOut(NATIVE_IMAGE, NativeImage.MISSING);
        }
        image.ensure();
        Progress.say("Swift tests over the native image");
        return tests(new SwiftPackage(workspace), NATIVE_IMAGE, image.library().resolve(System.mapLibraryName("uzu")));
    }

    private SuiteResult overJvm() {
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
        SuiteResult tests = tests(swift, NAME, swift.library()).plus(examples(swift));
        if (!compilesForApple(swift)) {
            return tests.orFault("AppleGeneration.swift does not compile against Apple's declarations");
        }
        Progress.say("a Swift package that depends on ours by version");
        try {
            return new SwiftDependency(swift, workspace.build().resolve("swift-dependency"))
                    .fault()
                    .map(tests::orFault)
                    .orElse(tests);
        } catch (Failure failure) {
            return tests.plus(SuiteResult.leftOut(NAME, failure.getMessage()));
        }
    }

    /** Against a module with the declarations that it uses, for the framework itself is Apple's. */
    private boolean compilesForApple(SwiftPackage swift) {
        Progress.say("what is for Apple's FoundationModels");
        Path sources = workspace.root().resolve("bindings-swift-bridge");
        Path module = workspace.build().resolve("swift-standin/FoundationModels.swiftmodule");
        try {
            Files.createDirectories(module.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> common = List.of("-swift-version", "6", "-parse-as-library");
        int status = swift.toolchain()
                .run("swiftc", "-emit-module", "-module-name", "FoundationModels", "-o", module)
                .arguments(common)
                .arguments(List.of(sources.resolve("Tests/Standins/FoundationModels.swift")))
                .run();
        Path built = swift.products();
        return status == 0
                && swift.toolchain()
                                .run("swiftc", "-typecheck", "-module-name", "Uzu", "-D", "UZU_STANDIN")
                                .arguments(common)
                                // Found before the module of the same name that the package brings.
                                .arguments(List.of("-I", module.getParent(), "-I", built.resolve("Modules")))
                                .arguments(List.of(
                                        "-Xcc", "-fmodule-map-file=" + built.resolve("CUzu.build/module.modulemap")))
                                .arguments(Workspace.filesBelow(sources.resolve("Sources/Uzu")))
                                .run()
                        == 0;
    }

    private SuiteResult tests(SwiftPackage swift, String name, Path library) {
        // SwiftPM puts its own word before the ending.
        String file = name.replace(' ', '-');
        Path report = workspace.build().resolve("reports").resolve(file + ".xml");
        Path written = workspace.build().resolve("reports").resolve(file + "-swift-testing.xml");
        try {
            Files.createDirectories(report.getParent());
            Files.deleteIfExists(written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> last = new ArrayList<>();
        int status = swift.test("--skip-build", "--xunit-output", report)
                .with("UZU_JAVA_HOME", workspace.jdk())
                .with("UZU_LIBRARY", library)
                .with("UZU_TEST_FULL", full ? "1" : "")
                .run(line -> {
                    if (XCTEST.matcher(line).matches()) {
                        last.add(line);
                    }
                });
        if (last.isEmpty() || !Files.exists(written)) {
            return SuiteResult.fault(name, "swift test ended with status " + status + " and no report");
        }
        // Totals come last.
        SuiteResult result = xctest(name, last.getLast()).plus(JUnitReports.count(name, List.of(written)));
        return status == 0 || result.hasFailed() ? result : result.orFault("swift test ended with status " + status);
    }

    private static SuiteResult xctest(String name, String line) {
        Matcher counts = XCTEST.matcher(line);
        if (!counts.matches()) {
            throw new IllegalArgumentException(line);
        }
        int skipped = counts.group(2) == null ? 0 : Integer.parseInt(counts.group(2));
        int failed = Integer.parseInt(counts.group(3));
        int passed = Integer.parseInt(counts.group(1)) - skipped - failed;
        Map<String, Integer> reasons = skipped == 0 ? Map.of() : Map.of("XCTest says why", skipped);
        // One test may fail several times.
        return new SuiteResult(name, Math.max(0, passed), failed, reasons, Optional.empty());
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
}
