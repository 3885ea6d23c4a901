package uzu.tools;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code test [java|c|python] [--full]}: the suites, then a table of what they came to. */
record TestCommand(Workspace workspace) {
    private static final List<String> SUITES = List.of("java", "c", "python");

    int run(List<String> arguments) {
        boolean full = arguments.contains("--full");
        List<String> wanted =
                arguments.stream().filter(each -> !each.equals("--full")).toList();
        for (String suite : wanted) {
            if (!SUITES.contains(suite)) {
                throw new Failure("the suites are java, c and python, not " + suite, 2);
            }
        }
        long start = System.nanoTime();
        List<SuiteResult> results = new ArrayList<>();
        for (String suite : wanted.isEmpty() ? SUITES : wanted) {
            results.addAll(run(suite, full));
        }
        ResultTable table = new ResultTable(results, (System.nanoTime() - start) / 1e9);
        table.print();
        return table.isGreen() ? 0 : 1;
    }

    private List<SuiteResult> run(String suite, boolean full) {
        List<SuiteResult> results = new ArrayList<>();
        switch (suite) {
            case "java" -> {
                Map<String, String> environment = Map.of();
                try {
                    PythonEnvironment python = new PythonEnvironment(workspace);
                    python.ensureForTests();
                    environment = python.variables();
                } catch (Failure failure) {
                    results.add(without("comparisons with Python", failure.getMessage()));
                }
                new NativeBuild(workspace).ensureKernels();
                results.addAll(new JavaSuite(workspace, environment, full).run());
            }
            default -> throw new Failure("no suite " + suite);
        }
        return results;
    }

    /** What cannot run for want of something: left out aloud here, a fault where everything has to be there. */
    private static SuiteResult without(String suite, String why) {
        return Workspace.isContinuousIntegration() ? SuiteResult.fault(suite, why) : SuiteResult.leftOut(suite, why);
    }
}
