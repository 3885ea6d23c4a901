package uzu.tools;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** The jar of bindings-kotlin with what it needs at run time, and Kotlin's compiler; Maven fetches both. */
record KotlinBuild(Workspace workspace) {
    /** Maven on what the Kotlin package is made of; the core's own tests are left to the Java suite. */
    Subprocess maven(String... goals) {
        return new Maven(workspace)
                .goals("-Pkotlin", "--projects", "core/engine,core/bridge,bindings-kotlin", "-Dmaven.test.skip=true")
                .arguments(List.of(goals));
    }

    /** Builds what is stale. */
    void ensure() {
        new JavaBuild(workspace).ensure();
        Stamp stamp = stamp();
        if (stamp.isFresh() && !jars().isEmpty()) {
            return;
        }
        bundle();
        Progress.say("building the Kotlin package");
        Workspace.delete(module().resolve("target/lib"));
        maven("--quiet", "-Dkotlin.test.skip=true", "-Duzu.quick", "package")
                .orFail("the Kotlin build failed: the reason is above");
        stamp.write();
    }

    Path module() {
        return workspace.root().resolve("bindings-kotlin");
    }

    /** What programs are compiled and run with. */
    String classPath() {
        List<Path> path = new ArrayList<>(jars());
        path.addAll(jarsIn(module().resolve("target/lib")));
        path.addAll(new JavaBuild(workspace).bindingJars());
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    String stampOfJars() {
        return stamp().inputs();
    }

    /** Kotlin's compiler with its plugin for serialization; its arguments follow. */
    Subprocess compiler() {
        Path folder = workspace.build().resolve("kotlin-compiler");
        Path pom = workspace.tools().resolve("kotlin/pom.xml");
        Stamp stamp = Stamp.of(workspace, "kotlin-compiler", List.of(pom));
        if (!stamp.isFresh() || jarsIn(folder).isEmpty()) {
            Progress.say("fetching Kotlin's compiler");
            Workspace.delete(folder);
            new Maven(workspace)
                    .goals("--quiet", "--file", pom.toString(), "dependency:copy-dependencies")
                    .arguments(List.of("-DoutputDirectory=" + folder))
                    .orFail("Kotlin's compiler could not be fetched: the reason is above");
            stamp.write();
        }
        String path = jarsIn(folder).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        Path plugin = jarsIn(folder).stream()
                .filter(jar -> jar.getFileName().toString().contains("serialization-compiler-plugin"))
                .findFirst()
                .orElseThrow();
        return Subprocess.of(
                workspace.jdkProgram("java"),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                path,
                "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
                "-no-stdlib",
                "-no-reflect",
                "-jdk-home",
                workspace.jdk(),
                "-Xplugin=" + plugin);
    }

    /** The native image's libuzu, where it was built: the jar carries it, for programs on older JVMs. */
    private void bundle() {
        Path target = module().resolve("target/bundle/uzu/native").resolve(platform());
        Workspace.delete(module().resolve("target/bundle"));
        // Maven copies what goes into the jar and forgets nothing.
        Workspace.delete(module().resolve("target/classes/uzu/native"));
        List<Path> files = imageFiles();
        if (files.isEmpty()) {
            return;
        }
        StringBuilder index = new StringBuilder();
        for (Path file : files) {
            String name = file.getFileName().toString();
            Workspace.copy(file, target.resolve(name));
            index.append(checksum(file))
                    .append(' ')
                    .append(file.toFile().length())
                    .append(' ');
            index.append(name).append('\n');
        }
        try {
            Files.writeString(target.resolve("index"), index);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** libuzu first, what it needs behind it. */
    private List<Path> imageFiles() {
        List<Path> files = Workspace.filesBelow(new NativeImage(workspace).library()).stream()
                .filter(file -> file.toString().matches(".*\\.(so|dylib|dll)"))
                .collect(Collectors.toCollection(ArrayList::new));
        files.sort((a, b) -> Boolean.compare(!isLibrary(a), !isLibrary(b)));
        return files;
    }

    private static boolean isLibrary(Path file) {
        return file.getFileName().toString().equals(System.mapLibraryName("uzu"));
    }

    private String platform() {
        return new KernelBuild(workspace).here().getFileName().toString();
    }

    private List<Path> jars() {
        return jarsIn(module().resolve("target"));
    }

    private Stamp stamp() {
        List<Path> inputs = new ArrayList<>(List.of(
                workspace.root().resolve("pom.xml"), module().resolve("pom.xml"), module().resolve("src/main")));
        inputs.addAll(imageFiles());
        return Stamp.of(workspace, "kotlin", inputs, new JavaBuild(workspace).stampOfJars());
    }

    private static String checksum(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> jarsIn(Path folder) {
        return Workspace.filesBelow(folder).stream()
                .filter(file ->
                        file.getParent().equals(folder) && file.toString().endsWith(".jar"))
                .toList();
    }
}
