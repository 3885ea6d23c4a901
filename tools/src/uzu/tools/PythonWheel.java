package uzu.tools;

import java.nio.file.Path;
import java.util.List;

/** The wheel in bindings-python/dist: the package with its jars, its libraries and a Java runtime of its own. */
record PythonWheel(Workspace workspace) {
    /** Builds it if it is stale; the file. */
    Path ensure() {
        new PythonPackage(workspace).ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensureForTests();
        Path sources = workspace.python().resolve("src");
        Path project = workspace.python().resolve("pyproject.toml");
        Path wheels = workspace.python().resolve("dist");
        BundledRuntime runtime = new BundledRuntime(workspace);
        Stamp stamp = Stamp.of(workspace, "python-wheel", List.of(sources, project), runtime.inputs());
        if (stamp.isFresh() && !Workspace.filesBelow(wheels).isEmpty()) {
            return Workspace.filesBelow(wheels).getFirst();
        }
        Progress.say("building the Python wheel");
        Path stage = stage(runtime);
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
        stamp.write();
        Path wheel = Workspace.filesBelow(wheels).getFirst();
        Progress.say("built " + wheel);
        return wheel;
    }

    /** A copy of the project, so that the runtime does not lie about in the sources. */
    private Path stage(BundledRuntime runtime) {
        Path stage = workspace.build().resolve("wheel");
        Workspace.delete(stage);
        for (String each : List.of("pyproject.toml", "setup.py", "README.md", "src/uzu")) {
            Workspace.copy(workspace.python().resolve(each), stage.resolve(each));
        }
        runtime.putInto(stage.resolve("src/uzu/native"));
        return stage;
    }
}
