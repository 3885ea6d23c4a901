package uzu.tools;

import java.nio.file.Path;
import java.util.Optional;

/** The conformance test of uzu.h against libuzu, on the default model. */
record CSuite(Workspace workspace) {
    private static final String NAME = "c";

    SuiteResult run() {
        if (NativeBuild.compiler().isEmpty()) {
            return SuiteResult.missing(NAME, "no C compiler: install gcc or clang");
        }
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        NativeBuild natives = new NativeBuild(workspace);
        natives.ensureKernels();
        natives.ensureLibrary();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        Optional<String> model = new Models(workspace, python).ensureDefault();
        if (model.isEmpty()) {
            return SuiteResult.missing(NAME, "the model " + Models.DEFAULT + " could not be fetched");
        }
        Progress.say("C tests");
        Path test = CProgram.conformance(workspace).compiled(natives.library());
        return CountedChecks.run(
                NAME,
                Subprocess.of(test, model.get())
                        .with("UZU_CLASSPATH", java.classPath())
                        .with("UZU_JAVA_HOME", workspace.jdk()));
    }
}
