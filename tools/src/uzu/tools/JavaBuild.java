package uzu.tools;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jars of core/, built when their sources have changed, and programs run on them. */
record JavaBuild(Workspace workspace) {
    /** What lets the engine's kernels in Java use vectors. */
    static final String VECTOR_API = "--add-modules=jdk.incubator.vector";

    /** Builds what is stale, without the linters: {@code test} has them. The engine's jar carries the kernels there are. */
    void ensure() {
        new KernelBuild(workspace).ensure();
        Stamp stamp = stamp("java");
        if (stamp.isFresh() && jars().size() > 3) {
            return;
        }
        Progress.say("building the Java modules");
        Workspace.delete(workspace.app().resolve("target/lib"));
        new Maven(workspace)
                .goals("--quiet", "-Dmaven.test.skip=true", "-Duzu.quick", "package")
                .orFail("the Java build failed: the reason is above");
        stamp.write();
    }

    /** Maven compiles only what has changed; so that all of it meets the linters, classes that have not go first. */
    void forgetUnlinted() {
        if (!stamp("java-linted").isFresh()) {
            modules().forEach(module -> Workspace.delete(module.resolve("target/classes")));
        }
    }

    /** For whoever has just built the jars, with the linters, through Maven. */
    void recordAsLinted() {
        stamp("java").write();
        stamp("java-linted").write();
    }

    List<Path> modules() {
        return List.of(workspace.engine(), workspace.app(), workspace.bridge());
    }

    /** Differs whenever the jars do. */
    String stampOfJars() {
        return stamp("java").inputs();
    }

    /** The bridge, the engine and what they need at run time: what a binding carries. */
    List<Path> bindingJars() {
        List<Path> jars = new ArrayList<>();
        jars.addAll(jarsIn(workspace.bridge().resolve("target")));
        jars.addAll(jarsIn(workspace.engine().resolve("target")));
        jars.addAll(jarsIn(workspace.app().resolve("target/lib")));
        return jars;
    }

    private List<Path> jars() {
        List<Path> jars = new ArrayList<>(bindingJars());
        jars.addAll(jarsIn(workspace.app().resolve("target")));
        return jars;
    }

    String classPath() {
        return jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * A JVM for user programs on the built class path; its arguments (more options, class, arguments) follow. The heap is
     * small, weights lie outside: the serial collector starts in half the processor time of the default one.
     */
    Subprocess java(String classPath) {
        Subprocess java = Subprocess.of(
                workspace.jdkProgram("java"),
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED");
        if (Workspace.filesBelow(new KernelBuild(workspace).here()).isEmpty()) {
            // Slows the start and prints a warning, so only where the engine's kernels are to be those in Java.
            java = java.arguments(List.of(VECTOR_API));
        }
        // Models write all of Unicode, and a container's C locale would turn it into question marks.
        return (Workspace.isWindows() ? java : java.arguments(List.of("-Dstdout.encoding=UTF-8")))
                .arguments(List.of("-cp", classPath));
    }

    private Stamp stamp(String name) {
        List<Path> inputs = new ArrayList<>();
        inputs.add(workspace.root().resolve("pom.xml"));
        for (Path module : modules()) {
            inputs.add(module.resolve("pom.xml"));
            inputs.add(module.resolve("src/main/java"));
            inputs.add(module.resolve("src/main/resources"));
        }
        inputs.add(new KernelBuild(workspace).folder());
        return Stamp.of(workspace, name, inputs, workspace.jdk());
    }

    static List<Path> jarsIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
