package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The npm package in bindings-js/dist: with the addon, libuzu, the jars and a Java runtime, for this platform. */
record JsTarball(Workspace workspace) {
    /** Builds it if it is stale; the file. */
    Path ensure() {
        new JsPackage(workspace).ensure();
        Path project = workspace.js();
        Path tarballs = project.resolve("dist");
        BundledRuntime runtime = new BundledRuntime(workspace);
        Stamp stamp = Stamp.of(
                workspace,
                "js-tarball",
                List.of(
                        project.resolve("lib"),
                        project.resolve("native"),
                        project.resolve("package.json"),
                        project.resolve("README.md")),
                runtime.inputs());
        if (!stamp.isFresh() || Workspace.filesBelow(tarballs).isEmpty()) {
            Progress.say("building the npm package");
            Path stage = stage(runtime);
            Workspace.delete(tarballs);
            create(tarballs);
            new NodeEnvironment(workspace)
                    .npm("pack", "--silent", "--pack-destination", tarballs)
                    .in(stage)
                    .orFail("npm pack failed: the reason is above");
            stamp.write();
        }
        return Workspace.filesBelow(tarballs).getFirst();
    }

    /** A copy of the project, so that the runtime does not lie about in the sources. */
    private Path stage(BundledRuntime runtime) {
        Path stage = workspace.build().resolve("npm");
        Workspace.delete(stage);
        for (String each : List.of("package.json", "README.md", "lib", "native")) {
            Workspace.copy(workspace.js().resolve(each), stage.resolve(each));
        }
        runtime.putInto(stage.resolve("native"));
        return stage;
    }

    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
