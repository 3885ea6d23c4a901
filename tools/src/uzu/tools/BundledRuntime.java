package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Java runtime that a published binding carries, so that its users need no JDK: the engine is linked into it, and a
 * cache has what its start comes to. Jars could have no such cache, which holds for a jar of the same time of change
 * alone; installers write a new one.
 */
record BundledRuntime(Workspace workspace) {
    private static final String MODULE = "uzu.runtime";

    /** Of one module, for the bridge sees all of the engine. */
    private static final String DESCRIPTOR = """
            open module %s {
                requires jdk.unsupported;
                requires tools.jackson.databind;
                exports uzu;
                uses uzu.EngineProvider;
                uses uzu.backend.cpu.CLinker;
                uses uzu.backend.cpu.RawMemory;
                provides uzu.EngineProvider with uzu.engine.LocalEngineProvider;
            }
            """.formatted(MODULE);

    /** Differs whenever the runtime does. */
    String inputs() {
        return stamp().inputs();
    }

    /** Puts it beside a copy of libuzu, in place of the jars there. */
    void putInto(Path natives) {
        ensure();
        Workspace.delete(natives.resolve("jars"));
        Workspace.copy(folder().resolve("native"), natives);
    }

    private void ensure() {
        Stamp stamp = stamp();
        if (stamp.isFresh() && Files.isDirectory(runtime())) {
            return;
        }
        Progress.say("linking a Java runtime");
        Workspace.delete(folder());
        link();
        KernelBuild kernels = new KernelBuild(workspace);
        Workspace.filesBelow(kernels.here()).forEach(file -> Workspace.copy(file, beside(file)));
        legal();
        strip();
        record();
        stamp.write();
    }

    private void link() {
        Path classes = folder().resolve("classes");
        for (Path jar : jars(true)) {
            create(classes);
            jdk("jar", "--extract", "--file", jar).in(classes).orFail("the jar can't be read: " + jar);
        }
        List.of("META-INF", "native", "module-info.class").forEach(name -> Workspace.delete(classes.resolve(name)));
        Path descriptor = write(folder().resolve("module-info.java"), DESCRIPTOR);
        String path = jars(false).stream().map(Path::toString).collect(Collectors.joining(java.io.File.pathSeparator));
        jdk("javac", "-d", classes, "--module-path", path, "--patch-module", MODULE + "=" + classes, descriptor)
                .orFail("the engine doesn't compile as a module: the reason is above");
        Path jar = folder().resolve(MODULE + ".jar");
        jdk("jar", "--create", "--no-compress", "--file", jar, "-C", classes, ".")
                .orFail("jar failed");
        // Wheels and tarballs are compressed as a whole: better than class by class, which costs time at each start.
        jdk("jlink", "--module-path", path + java.io.File.pathSeparator + jar, "--add-modules", MODULE)
                .arguments(List.of("--output", runtime(), "--compress=zip-0", "--vm=server"))
                .arguments(List.of("--exclude-resources=@" + unused(), "--exclude-files=**/jrt-fs.jar"))
                .arguments(List.of("--strip-java-debug-attributes", "--no-header-files", "--no-man-pages"))
                .orFail("jlink could not make the Java runtime: the reason is above");
    }

    /**
     * A list of what java.xml has beside its interfaces, which Jackson knows: parsers that nothing calls, 3 MB of a wheel.
     * A module needs something in each of its packages, so the smallest file stays.
     */
    private Path unused() {
        Path module = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.xml");
        Map<Path, List<Path>> packages = Stream.of("com", "jdk")
                .flatMap(each -> Workspace.filesBelow(module.resolve(each)).stream())
                .collect(Collectors.groupingBy(Path::getParent));
        String lines = packages.values().stream()
                .flatMap(files -> files.stream()
                        .sorted(Comparator.comparing(BundledRuntime::size))
                        .skip(1))
                .map(file -> "/java.xml/" + module.relativize(file) + "\n")
                .collect(Collectors.joining());
        return write(folder().resolve("unused.txt"), lines);
    }

    /** jlink keeps the JDK's notices, not those of jars. */
    private void legal() {
        for (Path jar : jars(false)) {
            Path notices = folder().resolve("notices").resolve(jar.getFileName());
            create(notices);
            jdk("jar", "--extract", "--file", jar, "META-INF/LICENSE", "META-INF/NOTICE")
                    .in(notices)
                    .orFail("the jar can't be read: " + jar);
            String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
            Workspace.copy(
                    notices.resolve("META-INF"), runtime().resolve("legal").resolve(name));
        }
        Workspace.copy(workspace.root().resolve("LICENSE"), runtime().resolve("legal/uzu/LICENSE"));
    }

    /** Symbols that only a debugger reads are a sixth of libjvm. */
    private void strip() {
        boolean linux = System.getProperty("os.name").equals("Linux");
        Optional<Path> strip = linux ? Subprocess.find("strip") : Optional.empty();
        strip.ifPresent(
                program -> Subprocess.of(program, "--strip-unneeded", libjvm()).orFail("strip failed"));
    }

    /** Has a program in Python run on it once. Without the model there is no cache, and the start takes longer. */
    private void record() {
        PythonEnvironment python = new PythonEnvironment(workspace);
        Path library = folder().resolve("library");
        Path options = folder().resolve("recorded");
        if (new Models(workspace, python).ensureDefault().isEmpty()) {
            Progress.say("the Java runtime starts slower: there is no model to record its start with");
            return;
        }
        Workspace.copy(new NativeBuild(workspace).library(), library);
        Workspace.copy(folder().resolve("native"), library);
        python.python(workspace.tools().resolve("python/warm_up.py"), Models.DEFAULT)
                .arguments(List.of(library.resolve("runtime").resolve(runtime().relativize(libjvm()))))
                .with("UZU_LIBRARY", library.resolve(System.mapLibraryName("uzu")))
                .with("UZU_JAVA_OPTIONS", "-Xlog:disable -XX:AOTMode=record -XX:AOTConfiguration=" + options)
                .orFail("the runtime's start could not be recorded: the reason is above");
        // With the options that libuzu starts it with.
        Subprocess.of(runtime().resolve("bin/java"), "-XX:AOTMode=create", "-XX:AOTConfiguration=" + options)
                .arguments(List.of("-XX:AOTCache=" + runtime().resolve("lib/uzu.aot"), "-XX:+UseSerialGC"))
                .arguments(List.of("--enable-native-access=" + MODULE, "-Djdk.module.main=" + MODULE, "-Xlog:disable"))
                .orFail("the cache of the runtime's start could not be made: the reason is above");
    }

    /** Ours, or those of others that run with them. */
    private List<Path> jars(boolean ours) {
        return new JavaBuild(workspace)
                .bindingJars().stream()
                        // Annotations that nothing reads at run time.
                        .filter(jar -> !jar.getFileName().toString().startsWith("jspecify"))
                        .filter(jar -> jar.getFileName().toString().startsWith("uzu") == ours)
                        .toList();
    }

    private Subprocess jdk(String program, Object... arguments) {
        return Subprocess.of(workspace.jdkProgram(program)).arguments(List.of(arguments));
    }

    private Path folder() {
        return workspace.build().resolve("runtime");
    }

    private Path runtime() {
        return folder().resolve("native/runtime");
    }

    private Path libjvm() {
        return runtime().resolve("lib/server").resolve(System.mapLibraryName("jvm"));
    }

    private Path beside(Path file) {
        return folder().resolve("native").resolve(file.getFileName());
    }

    private Stamp stamp() {
        return Stamp.of(
                workspace,
                "bundled-runtime",
                List.of(
                        new NativeBuild(workspace).library(),
                        workspace.tools().resolve("python/warm_up.py"),
                        workspace.tools().resolve("src/uzu/tools/BundledRuntime.java")),
                workspace.jdk(),
                new JavaBuild(workspace).stampOfJars());
    }

    private static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
