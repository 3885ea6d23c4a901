package uzu.tools;

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
        natives.ensureLibrary();
        stage(java, natives);
    }

    private void stage(JavaBuild java, NativeBuild natives) {
        Path folder = workspace.python().resolve("src/uzu/native");
        KernelBuild kernels = new KernelBuild(workspace);
        Stamp stamp = Stamp.of(
                workspace,
                "python-native",
                List.of(natives.library(), kernels.here(), workspace.tools().resolve("src")),
                java.stampOfJars());
        if (stamp.isFresh() && Files.isDirectory(folder)) {
            return;
        }
        Workspace.delete(folder);
        Path jars = folder.resolve("jars");
        java.bindingJars().forEach(jar -> Workspace.copy(jar, jars.resolve(jar.getFileName())));
        Workspace.copy(natives.library(), folder);
        // In the jar, too; but files are found without being unpacked.
        Workspace.copy(
                kernels.here(), jars.resolve("native").resolve(kernels.here().getFileName()));
        stamp.write();
    }
}
