package uzu.tools;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * core/polyglot with GraalPy and GraalJS. They are 190 MB, so no other build asks for them, and Maven fetches them when a
 * script is first run on one of them.
 */
record PolyglotBuild(Workspace workspace) {
    private static final String LAUNCHER = "uzu.polyglot.Launcher";

    /** The package of npm goes into the jar as one file, which esbuild makes; without Node.js the jar lacks it. */
    void ensure() {
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        NodeEnvironment node = new NodeEnvironment(workspace);
        boolean hasNode = node.missing().isEmpty();
        Path bundle = module().resolve("target/js/uzu.mjs");
        Stamp stamp = Stamp.of(workspace, "polyglot", sources(), java.stampOfJars(), hasNode);
        if (stamp.isFresh() && Files.isDirectory(libraries()) && Files.exists(bundle) == hasNode) {
            return;
        }
        Workspace.delete(module().resolve("target"));
        if (hasNode) {
            bundle(node, bundle);
        }
        Progress.say("building what GraalPy and GraalJS run on (fetches 190 MB the first time)");
        new Maven(workspace)
                .goals("--quiet", "-Ppolyglot", "-Dmaven.test.skip=true", "-Duzu.quick")
                .arguments(List.of("--projects", "core/polyglot", "--also-make", "package"))
                .orFail("GraalPy and GraalJS can't be built: the reason is above");
        stamp.write();
    }

    /** {@code python FILE}, its arguments follow; the sources' own package is found first. */
    Subprocess python(Path file) {
        ensure();
        return launcher("python", file)
                .with("PYTHONPATH", joined(workspace.python().resolve("src"), "PYTHONPATH"));
    }

    /** {@code node FILE}, its arguments follow; TypeScript loses its types before. */
    Subprocess js(Path file) {
        NodeEnvironment node = new NodeEnvironment(workspace);
        node.ensure();
        ensure();
        Path program = file.toString().endsWith("ts") ? withoutTypes(node, file) : file;
        return launcher("js", program).with("NODE_PATH", joined(node.packages(), "NODE_PATH"));
    }

    /** The Java tests of core/polyglot. */
    SuiteResult test() {
        Path reports = module().resolve("target/surefire-reports");
        Workspace.delete(reports);
        int status = new Maven(workspace)
                .goals("--quiet", "-Ppolyglot", "-Duzu.quick", "-Dtest=uzu.polyglot.*Test")
                .arguments(List.of("-Dsurefire.failIfNoSpecifiedTests=false", "--projects", "core/polyglot"))
                .arguments(List.of("--also-make", "test"))
                .run();
        SuiteResult result = JUnitReports.count(
                "polyglot",
                Workspace.filesBelow(reports).stream()
                        .filter(file -> file.toString().endsWith(".xml"))
                        .toList());
        return status == 0 || result.hasFailed() ? result : result.orFault("Maven ended with status " + status);
    }

    private Subprocess launcher(String language, Path file) {
        JavaBuild java = new JavaBuild(workspace);
        List<Path> jars = new ArrayList<>(JavaBuild.jarsIn(module().resolve("target")));
        jars.addAll(java.bindingJars());
        jars.addAll(JavaBuild.jarsIn(libraries()));
        String classPath = jars.stream().map(Path::toString).distinct().collect(Collectors.joining(File.pathSeparator));
        // Truffle still uses what newer Javas warn of.
        return java.java(classPath)
                .arguments(List.of("--sun-misc-unsafe-memory-access=allow"))
                .arguments(compilers())
                .arguments(List.of(LAUNCHER, language, file));
    }

    /** Short scripts take half the time when nothing is optimised twice; long ones are worth Graal's own compiler. */
    private static List<String> compilers() {
        String folder = System.getenv("UZU_GRAAL_COMPILER");
        return folder == null || folder.isBlank()
                ? List.of("-XX:TieredStopAtLevel=1")
                : List.of(
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:+EnableJVMCI",
                        "--upgrade-module-path=" + Path.of(folder).toAbsolutePath());
    }

    /** A module, which scripts import, and beside it a script, for contexts that have no files to import from. */
    private void bundle(NodeEnvironment node, Path module) {
        node.ensure();
        bundle(node, module, List.of("--format=esm"));
        bundle(node, module.resolveSibling("uzu.js"), List.of("--format=iife", "--global-name=uzu"));
    }

    private void bundle(NodeEnvironment node, Path file, List<String> format) {
        // The subpath import leads to lib, which tsc makes; here all comes from the sources.
        esbuild(node, workspace.js().resolve("src/index.ts"), file)
                .arguments(List.of("--alias:#transport=./src/polyglot.ts", "--keep-names"))
                .arguments(format)
                .in(workspace.js())
                .orFail("esbuild can't join the files of bindings-js: the reason is above");
    }

    private Path withoutTypes(NodeEnvironment node, Path file) {
        String name = file.getFileName().toString().replaceFirst("\\.[^.]+$", "");
        Path folder = workspace.build().resolve("programs").resolve(name + "-" + Integer.toHexString(file.hashCode()));
        Path program = folder.resolve(name + ".mjs");
        esbuild(node, file, program)
                .arguments(List.of("--format=esm", "--packages=external", "--sourcemap=inline"))
                .orFail("esbuild refuses " + file);
        return program;
    }

    private static Subprocess esbuild(NodeEnvironment node, Path from, Path to) {
        return node.node(node.packages().resolve("esbuild/bin/esbuild"), from)
                .arguments(List.of("--bundle", "--target=es2023", "--log-level=warning", "--outfile=" + to));
    }

    /** This folder first, then what the user's own variable has. */
    private static String joined(Path first, String variable) {
        return Stream.of(first.toString(), Objects.requireNonNullElse(System.getenv(variable), ""))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private List<Path> sources() {
        List<Path> sources = new ArrayList<>();
        sources.add(module().resolve("pom.xml"));
        sources.add(module().resolve("src/main"));
        sources.add(workspace.js().resolve("package.json"));
        sources.add(workspace.js().resolve("src"));
        Workspace.filesBelow(workspace.python().resolve("src")).stream()
                .filter(file -> file.toString().endsWith(".py"))
                .forEach(sources::add);
        return sources;
    }

    private Path libraries() {
        return module().resolve("target/lib");
    }

    Path module() {
        return workspace.root().resolve("core/polyglot");
    }
}
