package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a binding carries beside its own code: libuzu, its header, and the jars with the kernels. */
record NativeFolder(Workspace workspace, String binding, Path folder) {
    /** Builds and copies what is stale; whether anything was. */
    boolean ensure() {
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        NativeBuild natives = new NativeBuild(workspace);
        natives.ensureLibrary();
        KernelBuild kernels = new KernelBuild(workspace);
        Stamp stamp = Stamp.of(
                workspace,
                binding + "-native",
                List.of(natives.library(), kernels.here(), workspace.tools().resolve("src")),
                java.stampOfJars());
        if (stamp.isFresh() && Files.isDirectory(folder)) {
            return false;
        }
        Workspace.delete(folder);
        Path jars = folder.resolve("jars");
        java.bindingJars().forEach(jar -> Workspace.copy(jar, jars.resolve(jar.getFileName())));
        Workspace.copy(natives.library(), folder);
        // In the jar, too; but files are found without being unpacked.
        Workspace.copy(
                kernels.here(), jars.resolve("native").resolve(kernels.here().getFileName()));
        stamp.write();
        return true;
    }
}
