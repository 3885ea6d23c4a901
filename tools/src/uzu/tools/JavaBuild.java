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
    void ensure() {
        Stamp stamp = stamp();
        if (stamp.isFresh() && jars().size() > 3) {
            return;
        }
        Progress.say("building the Java modules");
        Workspace.delete(workspace.app().resolve("target/lib"));
        new Maven(workspace)
                .goals("--quiet", "-Dmaven.test.skip=true", "package")
                .orFail("the Java build failed: the reason is above");
        stamp.write();
    }

    /** For whoever has just built the jars by other means. */
    void recordAsBuilt() {
        stamp().write();
    }

    /** Differs whenever the jars do. */
    String stampOfJars() {
        return stamp().inputs();
    }

    /** The bridge, the app, the engine and what they need at run time. */
    List<Path> jars() {
        List<Path> jars = new ArrayList<>();
        jars.addAll(jarsIn(workspace.bridge().resolve("target")));
        jars.addAll(jarsIn(workspace.app().resolve("target")));
        jars.addAll(jarsIn(workspace.engine().resolve("target")));
        jars.addAll(jarsIn(workspace.app().resolve("target/lib")));
        return jars;
    }

    String classPath() {
        return jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** A JVM for user programs on the built class path; its arguments (more options, class, arguments) follow. */
    Subprocess java(String classPath) {
        return Subprocess.of(workspace.jdkProgram("java"), "--enable-native-access=ALL-UNNAMED", "-cp", classPath);
    }

    private Stamp stamp() {
        List<Path> inputs = new ArrayList<>();
        inputs.add(workspace.root().resolve("pom.xml"));
        for (Path module : List.of(workspace.engine(), workspace.app(), workspace.bridge())) {
            inputs.add(module.resolve("pom.xml"));
            inputs.add(module.resolve("src/main/java"));
            inputs.add(module.resolve("src/main/resources"));
        }
        return Stamp.of(workspace, "java", inputs, workspace.jdk());
    }

    private static List<Path> jarsIn(Path folder) {
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
