package uzu.tools;

import java.nio.file.Path;
import java.util.List;

/** The wheel in bindings-python/dist: the package with its jars, its libraries and a Java runtime of its own. */
record PythonWheel(Workspace workspace) {
    /** What the engine and Jackson use of the JDK; a module more costs size, a module less fails at the first call. */
    private static final String MODULES = "java.base,java.logging,java.xml,jdk.unsupported";

    void ensure() {
        new PythonPackage(workspace).ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensureForTests();
        Path sources = workspace.python().resolve("src");
        Path project = workspace.python().resolve("pyproject.toml");
        Path wheels = workspace.python().resolve("dist");
        Stamp stamp = Stamp.of(workspace, "python-wheel", List.of(sources, project), workspace.jdk(), MODULES);
        if (stamp.isFresh() && !Workspace.filesBelow(wheels).isEmpty()) {
            return;
        }
        Progress.say("building the Python wheel");
        Path stage = stage();
        Workspace.delete(wheels);
        python.python(
                        "-m",
                        "pip",
                        "wheel",
                        "--quiet",
                        "--no-deps",
                        "--no-build-isolation",
                        "--wheel-dir",
                        wheels,
                        stage)
                .orFail("the wheel could not be built: the reason is above");
        Workspace.filesBelow(wheels).forEach(wheel -> Progress.say("built " + wheel));
        stamp.write();
    }

    /** A copy of the project, so that the runtime does not lie about in the sources. */
    private Path stage() {
        Path stage = workspace.build().resolve("wheel");
        Workspace.delete(stage);
        for (String each : List.of("pyproject.toml", "setup.py", "README.md", "src/uzu")) {
            Workspace.copy(workspace.python().resolve(each), stage.resolve(each));
        }
        Path runtime = stage.resolve("src/uzu/native/runtime");
        Subprocess.of(workspace.jdkProgram("jlink"), "--add-modules", MODULES, "--output", runtime)
                .arguments(List.of(
                        "--strip-java-debug-attributes", "--no-header-files", "--no-man-pages", "--compress=zip-6"))
                .orFail("jlink could not make the wheel's Java runtime: the reason is above");
        return stage;
    }
}
