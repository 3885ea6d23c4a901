package uzu.tools;

import java.util.List;
import java.util.Locale;

/** The end of a test run at a glance: a row a suite, and below it why tests were skipped. */
record ResultTable(List<SuiteResult> suites, double seconds) {
    private static final String ROW = "%-28s %7s %7s %8s  %s%n";

    void print() {
        System.out.println();
        System.out.printf(Locale.ROOT, ROW, "suite", "passed", "failed", "skipped", "");
        for (SuiteResult suite : suites) {
            System.out.printf(
                    Locale.ROOT,
                    ROW,
                    suite.name(),
                    suite.passed(),
                    suite.failed(),
                    suite.skippedCount(),
                    suite.fault().map(why -> "FAILED: " + why).orElse(suite.failed() > 0 ? "FAILED" : ""));
            suite.skipped()
                    .forEach((reason, count) -> System.out.printf(Locale.ROOT, "    skipped %d: %s%n", count, reason));
        }
        System.out.printf(
                Locale.ROOT, "%s in %.0f s%n", isGreen() ? "All tests passed" : "There are failures", seconds);
    }

    boolean isGreen() {
        return suites.stream().noneMatch(SuiteResult::hasFailed);
    }
}
