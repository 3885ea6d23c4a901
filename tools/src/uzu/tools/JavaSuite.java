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
        int status = tests(maven).run();
        if (status != 0) {
            goOn(maven, modules);
        }
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

    private Subprocess tests(Maven maven) {
        return maven.goals("--fail-at-end", "-Duzu.excludedTests=" + (full ? "" : "full"), "package")
                .with(environment);
    }

    /** Where a test has failed Maven tests nothing that stands on its module. What it left out runs now, by name. */
    private void goOn(Maven maven, List<Path> modules) {
        List<String> left = modules.stream()
                .filter(module -> xmlIn(reports(module)).isEmpty())
                .flatMap(module -> tests(module).stream())
                .toList();
        if (!left.isEmpty()) {
            Progress.say("Java tests of the modules that Maven left out");
            tests(maven)
                    .arguments(List.of("-Dtest=" + String.join(",", left), "-Dsurefire.failIfNoSpecifiedTests=false"))
                    .run();
        }
    }

    /** The classes with tests of a module, with slashes and without an ending. */
    private static List<String> tests(Path module) {
        Path folder = module.resolve("src/test/java");
        return Workspace.filesBelow(folder).stream()
                .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                .filter(file -> file.endsWith("Test.java"))
                .map(file -> file.replaceFirst("\\.java$", ""))
                .toList();
    }

    private Optional<SuiteResult> result(Path module, int status) {
        String name = "java " + module.getFileName();
        List<Path> reports = xmlIn(reports(module));
        if (!reports.isEmpty()) {
            return Optional.of(JUnitReports.count(name, reports));
        }
        String why = status == 0 ? "ran no tests" : "did not get to its tests: the reason is in Maven's output above";
        return tests(module).isEmpty() ? Optional.empty() : Optional.of(SuiteResult.fault(name, why));
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
