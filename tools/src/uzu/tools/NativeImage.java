package uzu.tools;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** libuzu over a native image: the same header, without a JVM. Made where a GraalVM 25 is. */
record NativeImage(Workspace workspace) {
    static final String MISSING = "no GraalVM 25 with native-image found: set GRAALVM_HOME";

    /** The command of the GraalVM that GRAALVM_HOME names, else that on the PATH; empty when it is of another version. */
    Optional<Path> command() {
        String home = System.getenv().getOrDefault("GRAALVM_HOME", "");
        Optional<Path> command = home.isBlank()
                ? Subprocess.find("native-image")
                : Optional.of(Path.of(home, "bin", Workspace.isWindows() ? "native-image.cmd" : "native-image"))
                        .filter(Files::isExecutable);
        return command.filter(each -> version(each).startsWith("native-image 25"));
    }

    /** The folder with libuzu, libuzu_image, the kernels and uzu.h. */
    Path library() {
        return module().resolve("target/native");
    }

    /** libuzu itself. */
    Path file() {
        return library().resolve(System.mapLibraryName("uzu"));
    }

    /** Builds what is stale: two to three minutes of all processors, and 4 GB. */
    void ensure() {
        Path command = command().orElseThrow(() -> new Failure(MISSING));
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        KernelBuild kernels = new KernelBuild(workspace);
        Stamp stamp = Stamp.of(
                workspace,
                "native-image",
                List.of(
                        module().resolve("pom.xml"),
                        module().resolve("src"),
                        workspace.bridge().resolve("src/main/c"),
                        kernels.here()),
                version(command),
                java.stampOfJars());
        if (stamp.isFresh() && !Workspace.filesBelow(library()).isEmpty()) {
            return;
        }
        Path image = module().resolve("target/image");
        Workspace.delete(image);
        Workspace.delete(library());
        makeImage(command, classes(java), image);
        Subprocess.of("sh", module().resolve("src/main/c/build.sh"), image, library())
                .in(workspace.root())
                .with("CC", NativeBuild.compiler().map(Path::toString).orElse("cc"))
                .orFail("compiling libuzu for the native image failed: the reason is above");
        for (Path each : Workspace.filesBelow(kernels.here())) {
            Workspace.copy(each, library().resolve(each.getFileName()));
        }
        stamp.write();
    }

    private String classes(JavaBuild java) {
        new Maven(workspace)
                .goals("--quiet", "-Dmaven.test.skip=true", "-Duzu.quick", "-Pnative-image")
                .arguments(List.of("-pl", "core/native", "-am", "compile"))
                .orFail("compiling what the native image adds failed: the reason is above");
        List<Path> path = new ArrayList<>(List.of(module().resolve("target/classes")));
        path.addAll(java.bindingJars());
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private void makeImage(Path command, String classPath, Path image) {
        Progress.say("making the native image, which takes minutes");
        try {
            Files.createDirectories(image);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // An image takes the encoding of file names from its builder.
        Subprocess.of(command, "--shared", "-cp", classPath, "-o", image.resolve("libuzu_image"))
                .in(workspace.root())
                .with("LC_ALL", "C.UTF-8")
                .orFail("the native image could not be made: the reason is above");
    }

    private Path module() {
        return workspace.root().resolve("core/native");
    }

    private static String version(Path command) {
        return Subprocess.of(command, "--version").output().orElse("");
    }
}
