package uzu.tools;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A test program whose last line counts its checks: {@code 18 passed, 0 failed}. */
final class CountedChecks {
    private static final Pattern COUNTS = Pattern.compile("(\\d+) passed, (\\d+) failed.*");

    private CountedChecks() {}

    static SuiteResult run(String suite, Subprocess program) {
        AtomicReference<String> last = new AtomicReference<>("");
        int status = program.run(last::set);
        Matcher counts = COUNTS.matcher(last.get());
        if (!counts.matches()) {
            return SuiteResult.fault(suite, "ended with status " + status + " and no count of its checks");
        }
        int passed = Integer.parseInt(counts.group(1));
        int failed = Integer.parseInt(counts.group(2));
        SuiteResult result = new SuiteResult(suite, passed, failed, Map.of(), Optional.empty());
        if (passed + failed == 0) {
            return result.orFault("ran no tests");
        }
        return status == 0 || failed > 0 ? result : result.orFault("ended with status " + status);
    }
}
