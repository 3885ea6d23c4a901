package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** bindings-python, ready to be imported from its sources: the jars and the library that it needs lie in src/uzu/native. */
record PythonPackage(Workspace workspace) {
    /** Makes everything that {@code import uzu} and an engine need. */
    void ensure() {
        new PythonEnvironment(workspace).ensure();
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        NativeBuild natives = new NativeBuild(workspace);
        natives.ensureKernels();
        natives.ensureLibrary();
        stage(java, natives);
    }

    /** The wheel, in bindings-python/dist. */
    void buildWheel() {
        ensure();
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensureForTests();
        Stamp stamp = Stamp.of(
                workspace,
                "python-wheel",
                List.of(workspace.python().resolve("src"), workspace.python().resolve("pyproject.toml")));
        Path wheels = workspace.python().resolve("dist");
        if (stamp.isFresh() && !Workspace.filesBelow(wheels).isEmpty()) {
            return;
        }
        Progress.say("building the Python wheel");
        Workspace.delete(wheels);
        python.python("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, ".")
                .in(workspace.python())
                .orFail("the wheel could not be built: the reason is above");
        Workspace.filesBelow(wheels).forEach(wheel -> Progress.say("built " + wheel));
        stamp.write();
    }

    private void stage(JavaBuild java, NativeBuild natives) {
        Path folder = workspace.python().resolve("src/uzu/native");
        Stamp stamp =
                Stamp.of(workspace, "python-native", List.of(natives.library(), natives.kernels()), java.stampOfJars());
        if (stamp.isFresh() && Files.isDirectory(folder)) {
            return;
        }
        Workspace.delete(folder);
        Path jars = folder.resolve("jars");
        java.jars().forEach(jar -> copy(jar, jars.resolve(jar.getFileName())));
        copyAll(natives.library(), folder);
        copyAll(natives.kernels(), jars.resolve("native"));
        stamp.write();
    }

    private static void copyAll(Path from, Path to) {
        Workspace.filesBelow(from).forEach(file -> copy(file, to.resolve(from.relativize(file))));
    }

    private static void copy(Path from, Path to) {
        try {
            Files.createDirectories(to.getParent());
            Files.copy(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
