package uzu.tools;

import java.util.ArrayList;
import java.util.List;

/** {@code setup}: everything that the other commands would otherwise make when they first need it. */
record SetupCommand(Workspace workspace) {
    int run(List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new Failure("usage: tools/tools setup", 2);
        }
        new BuildCommand(workspace).run(List.of());
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensureForTests();
        List<SuiteResult> fetched = new ArrayList<>(new TestMaterial(workspace, python).fetch());
        fetched.add(new Models(workspace, python).fetch(false));
        int status = 0;
        for (SuiteResult each : fetched) {
            if (each.hasFailed() || each.skippedCount() > 0) {
                Progress.say(each.name() + ": "
                        + each.fault()
                                .orElseGet(
                                        () -> String.join(", ", each.skipped().keySet())));
                status = 1;
            }
        }
        return status;
    }
}
