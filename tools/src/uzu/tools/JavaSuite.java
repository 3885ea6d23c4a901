package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The JUnit tests of the modules through Maven, and the formatter's check. */
record JavaSuite(Workspace workspace, Map<String, String> environment, boolean full) {
    List<SuiteResult> run() {
        JavaBuild build = new JavaBuild(workspace);
        List<Path> modules = build.modules();
        modules.forEach(module -> Workspace.delete(reports(module)));
        build.forgetUnlinted();
        Progress.say("Java tests");
        Maven maven = new Maven(workspace);
        int status = maven.goals("--fail-at-end", "-Duzu.excludedTests=" + (full ? "" : "full"), "package")
                .with(environment)
                .run();
        List<SuiteResult> results = new ArrayList<>();
        for (Path module : modules) {
            result(module, status).ifPresent(results::add);
        }
        if (status == 0) {
            build.recordAsLinted();
        } else if (results.stream().noneMatch(SuiteResult::hasFailed)) {
            results.add(SuiteResult.fault("java build", "the reason is in Maven's output above"));
        }
        results.add(formatting(maven));
        return results;
    }

    private Optional<SuiteResult> result(Path module, int status) {
        String name = "java " + module.getFileName();
        List<Path> reports = xmlIn(reports(module));
        if (!reports.isEmpty()) {
            return Optional.of(JUnitReports.count(name, reports));
        }
        boolean hasTests = Workspace.filesBelow(module.resolve("src/test/java")).stream()
                .anyMatch(file -> file.toString().endsWith("Test.java"));
        String why = status == 0 ? "ran no tests" : "did not get to its tests: the reason is in Maven's output above";
        return hasTests ? Optional.of(SuiteResult.fault(name, why)) : Optional.empty();
    }

    private SuiteResult formatting(Maven maven) {
        boolean clean = maven.goals("--quiet", "-Ppolyglot", "spotless:check").run() == 0;
        return clean
                ? new SuiteResult("java formatting", 1, 0, Map.of(), Optional.empty())
                : SuiteResult.fault("java formatting", "see above; tools/tools format puts it right");
    }

    private static Path reports(Path module) {
        return module.resolve("target/surefire-reports");
    }

    private static List<Path> xmlIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
