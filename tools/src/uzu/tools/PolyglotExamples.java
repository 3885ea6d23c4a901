package uzu.tools;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A language's examples as they are, on the default model: each has to end well and to say something. */
record PolyglotExamples(int passed, int failed) {
    static PolyglotExamples run(Workspace workspace, String languageName, Function<Path, Subprocess> prepared) {
        Language language = Language.of(languageName);
        int passed = 0;
        int failed = 0;
        for (Path example : Workspace.foldersIn(language.folder(workspace))) {
            Path file = language.example(workspace, example.getFileName().toString());
            Optional<String> said = prepared.apply(file).outputWithErrorsShown();
            if (said.isPresent() && said.get().split("\\s+").length > 3) {
                passed++;
            } else {
                failed++;
                System.out.println("FAILED " + example.getFileName() + ": " + said.orElse("it ended with an error"));
            }
        }
        return new PolyglotExamples(passed, failed);
    }

    /** Counted together with a suite's tests. */
    SuiteResult with(SuiteResult tests) {
        return new SuiteResult(tests.name(), passed, failed, Map.of(), Optional.empty()).plus(tests);
    }
}
