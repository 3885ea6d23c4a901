package uzu.tools;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Our results beside llama.cpp's on the same files: greedy texts, and what fast arithmetic costs. */
record PeerSuite(Workspace workspace) {
    static final String NAME = "peer";

    private static final List<String> MODELS = List.of(Models.DEFAULT, "alibaba:qwen2.5-coder:0.5b:gguf:q4_k_m:4");

    /** Tokens of text, and how many times llama.cpp's divergence from exact arithmetic ours may be over them. */
    private static final String TOKENS = "2000";

    private static final String LIMIT = "1.05";

    /** A row a model. */
    List<SuiteResult> run() {
        Peer peer = new Peer(workspace);
        Optional<String> lack = peer.lack();
        if (lack.isPresent()) {
            return List.of(SuiteResult.missing(NAME, lack.get()));
        }
        Path program = peer.program(Peer.LOGITS);
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        Models models = new Models(workspace, python);
        List<SuiteResult> rows = new ArrayList<>();
        for (String model : MODELS) {
            String[] parts = model.split(":");
            String row = NAME + " " + parts[1] + " " + parts[2];
            rows.add(models.ensure(model)
                    .map(file -> compare(row, file, program, peer.text()))
                    .orElseGet(() -> SuiteResult.missing(row, "could not fetch " + model)));
        }
        return rows;
    }

    private SuiteResult compare(String row, String file, Path program, Path text) {
        List<List<String>> benches = List.of(
                List.of("bench", "greedy", file, "--peer", program.toString()),
                List.of(
                        "bench",
                        "quality",
                        file,
                        "--peer",
                        program.toString(),
                        "--text",
                        text.toString(),
                        "--tokens",
                        TOKENS,
                        "--limit",
                        LIMIT));
        int failed = 0;
        for (List<String> bench : benches) {
            Progress.say(row + ": " + bench.get(1));
            failed += new AppCommand(workspace).run(bench) == 0 ? 0 : 1;
        }
        return new SuiteResult(row, benches.size() - failed, failed, Map.of(), Optional.empty());
    }
}
