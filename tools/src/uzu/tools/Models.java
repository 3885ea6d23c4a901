package uzu.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The models that examples and tests run on, fetched through the engine's own registry. */
record Models(Workspace workspace, PythonEnvironment python) {
    static final String DEFAULT = "huggingface:smollm2:135m:gguf:q4_1:4";

    private static final List<String> LARGE = List.of(
            "alibaba:qwen2.5-coder:0.5b:gguf:q4_k_m:4",
            "alibaba:qwen2.5-coder:1.5b:gguf:q4_k_m:4",
            "google:gemma-3:270m:gguf:q4_k_m:4");

    /** Where the default model lies, fetched if need be; empty when it cannot be had. */
    Optional<String> ensureDefault() {
        return ensure(DEFAULT);
    }

    /** Fetches the default model, with {@code full} the large ones too; the row for the table. */
    SuiteResult fetch(boolean full) {
        List<String> wanted = new ArrayList<>(List.of(DEFAULT));
        if (full) {
            wanted.addAll(LARGE);
        }
        List<String> missing =
                wanted.stream().filter(model -> ensure(model).isEmpty()).toList();
        return missing.isEmpty()
                ? new SuiteResult("models", wanted.size(), 0, Map.of(), Optional.empty())
                : SuiteResult.missing("models", "could not fetch " + String.join(", ", missing));
    }

    /** Where a model lies, fetched if need be; empty when it cannot be had. */
    Optional<String> ensure(String model) {
        return new JavaProgram(workspace, workspace.tools().resolve("programs/FetchModel.java"))
                .prepared()
                .with(python.variables())
                .arguments(List.of(model))
                .outputWithErrorsShown();
    }
}
