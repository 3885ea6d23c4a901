package uzu.tools;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The conformance test of uzu.h against libuzu, on the default model, and that it may be unloaded. */
record CSuite(Workspace workspace, boolean full) {
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
        return over(
                NAME,
                natives.library(),
                model.get(),
                Map.of(
                        "UZU_CLASSPATH",
                        java.classPath(),
                        "UZU_JAVA_HOME",
                        workspace.jdk().toString()));
    }

    /** Both tests over the libuzu in a folder. */
    SuiteResult over(String name, Path library, String model, Map<String, String> variables) {
        Path conformance = CProgram.conformance(workspace).compiled(library);
        Path unload = new CProgram(workspace, workspace.bridge().resolve("src/test/c/unload.c")).loading(library);
        Path file = library.resolve(System.mapLibraryName("uzu"));
        return CountedChecks.run(
                        name, Subprocess.of(conformance, model).with(variables).with("UZU_TEST_FULL", full ? "1" : ""))
                .plus(CountedChecks.run(name, Subprocess.of(unload, file).with(variables)));
    }
}
