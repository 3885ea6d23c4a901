package uzu.tools;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What {@code install library} leaves behind: the example in C, linked with it, runs where no other Java is. */
record InstalledLibrarySuite(Workspace workspace) {
    static final String NAME = "c installed";

    SuiteResult run() {
        if (NativeBuild.compiler().isEmpty()) {
            return SuiteResult.missing(NAME, "no C compiler: install gcc or clang");
        }
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        if (new Models(workspace, python).ensureDefault().isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Path folder = workspace.build().resolve("installed library");
        new InstalledLibrary(workspace, folder).install();
        Progress.say("C's quick start with the installed library");
        Path program =
                new CProgram(workspace, workspace.root().resolve("examples/c/quick-start/main.c")).compiled(folder);
        Optional<String> said = Subprocess.of(program)
                .with("PATH", "/nowhere")
                .with(Map.of("JAVA_HOME", "", "UZU_JAVA_HOME", "", "UZU_CLASSPATH", "", "UZU_JAVA_OPTIONS", ""))
                .outputWithErrorsShown();
        Workspace.delete(folder);
        boolean passed = said.isPresent() && said.get().split("\\s+").length > 10;
        if (!passed) {
            System.out.println("FAILED quick-start: " + said.orElse("it ended with an error"));
        }
        return new SuiteResult(NAME, passed ? 1 : 0, passed ? 0 : 1, Map.of(), Optional.empty());
    }
}
