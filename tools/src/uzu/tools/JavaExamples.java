package uzu.tools;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The Java examples run as they are, on the default model; each has to end well and to say something. */
record JavaExamples(Workspace workspace) {
    private static final String NAME = "java examples";

    SuiteResult run() {
        Progress.say("Java examples");
        int passed = 0;
        int failed = 0;
        Language java = Language.of("java");
        for (Path example : Workspace.foldersIn(java.folder(workspace))) {
            Optional<String> said = new JavaProgram(
                            workspace,
                            java.example(workspace, example.getFileName().toString()))
                    .prepared()
                    .outputWithErrorsShown();
            if (said.isPresent() && said.get().split("\\s+").length > 3) {
                passed++;
            } else {
                failed++;
                System.out.println("FAILED " + example.getFileName() + ": " + said.orElse("it ended with an error"));
            }
        }
        return new SuiteResult(NAME, passed, failed, Map.of(), Optional.empty());
    }
}
