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
        Path jars = folder.resolve("jars");
        Stamp stamp = Stamp.of(workspace, "python-native", natives.outputs(), java.stampOfJars());
        if (stamp.isFresh() && Files.isDirectory(jars)) {
            return;
        }
        Workspace.delete(jars);
        try {
            Files.createDirectories(jars);
            for (Path jar : java.jars()) {
                Files.copy(jar, jars.resolve(jar.getFileName()));
            }
            for (Path library : natives.outputs()) {
                replace(library, folder.resolve(library.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        stamp.write();
    }

    /** A library that a running process has mapped must not be written into: the new file takes its name. */
    private static void replace(Path source, Path target) throws IOException {
        Path part = target.resolveSibling("." + target.getFileName() + ".part");
        Files.copy(source, part, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
}
