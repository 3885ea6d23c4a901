package uzu.tools;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one suite came to.
 *
 * @param skipped reason → how many tests were skipped for it
 * @param fault why the suite failed as a whole (it did not compile, it crashed, it ran no test), if it did
 */
record SuiteResult(String name, int passed, int failed, Map<String, Integer> skipped, Optional<String> fault) {
    static SuiteResult fault(String name, String why) {
        return new SuiteResult(name, 0, 0, Map.of(), Optional.of(why));
    }

    /** What this machine lacks something for: skipped aloud, but a fault where everything has to be there. */
    static SuiteResult missing(String name, String why) {
        return Workspace.isContinuousIntegration() ? fault(name, why) : leftOut(name, why);
    }

    /** Skipped aloud. */
    static SuiteResult leftOut(String name, String why) {
        return new SuiteResult(name, 0, 0, Map.of(why, 1), Optional.empty());
    }

    SuiteResult orFault(String why) {
        return new SuiteResult(name, passed, failed, skipped, fault.or(() -> Optional.of(why)));
    }

    /** Both, under this one's name. */
    SuiteResult plus(SuiteResult other) {
        Map<String, Integer> all = new HashMap<>(skipped);
        other.skipped.forEach((reason, count) -> all.merge(reason, count, Integer::sum));
        return new SuiteResult(name, passed + other.passed, failed + other.failed, all, fault.or(other::fault));
    }

    boolean hasFailed() {
        return failed > 0 || fault.isPresent();
    }

    int skippedCount() {
        return skipped.values().stream().mapToInt(Integer::intValue).sum();
    }
}
