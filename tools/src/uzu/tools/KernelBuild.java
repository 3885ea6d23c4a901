package uzu.tools;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The kernels in core/engine/target/native, a folder a platform, from where the engine's jar takes them: those for this
 * machine by its own compiler, or those for all platforms by Zig's, which has every platform's headers and libraries.
 */
record KernelBuild(Workspace workspace) {
    /** What Zig calls the platforms. Linux: the oldest C library that JDK 25 runs on; macOS: the first on ARM. */
    private static final Map<String, String> TARGETS = new TreeMap<>(Map.of(
            "linux-x86_64", "x86_64-linux-gnu.2.17",
            "linux-aarch64", "aarch64-linux-gnu.2.17",
            "macos-x86_64", "x86_64-macos.11.0",
            "macos-aarch64", "aarch64-macos.11.0",
            "windows-x86_64", "x86_64-windows-gnu",
            "windows-aarch64", "aarch64-windows-gnu"));

    /** Those for this machine, where a C compiler is; says so where none is. What is stale of the others goes. */
    void ensure() {
        for (Path each : Workspace.foldersIn(folder())) {
            String platform = each.getFileName().toString();
            if (!platform.equals(platform()) && !isRelease(platform)) {
                Workspace.delete(each);
                // Maven copies what goes into the jar and forgets nothing.
                Workspace.delete(workspace.engine().resolve("target/classes/native"));
            }
        }
        if (isRelease(platform())) {
            return;
        }
        Optional<Path> compiler = NativeBuild.compiler();
        if (compiler.isEmpty()) {
            Progress.say("no C compiler found (cc, gcc or clang): the engine runs on its slower kernels in Java");
            return;
        }
        Stamp stamp = stamp(platform(), compiler.get());
        if (!stamp.isFresh() || Workspace.filesBelow(here()).isEmpty()) {
            Progress.say("compiling kernels");
            build(platform(), Map.of("CC", compiler.get().toString()));
            stamp.write();
        }
    }

    /** Those for all platforms, as a release has them. */
    void ensureAll() {
        List<String> stale =
                TARGETS.keySet().stream().filter(each -> !isRelease(each)).toList();
        if (stale.isEmpty()) {
            return;
        }
        Map<String, String> zig = new Zig(workspace).ensure();
        for (String platform : stale) {
            Progress.say("compiling kernels for " + platform);
            // No debug information, which would be three quarters of the file.
            String compiler = "zig cc -g0 -target " + TARGETS.get(platform);
            Map<String, String> environment = new HashMap<>(zig);
            environment.put("LD", compiler);
            environment.put("CC", isForLinuxHere(platform) ? ownCompiler().orElse(compiler) : compiler);
            build(platform, environment);
            stamp(platform, Zig.VERSION, TARGETS.get(platform)).write();
        }
    }

    /** A folder for each platform; the engine looks for its own beside its jar, too. */
    Path folder() {
        return workspace.engine().resolve("target/native");
    }

    /** The folder of this machine's platform. */
    Path here() {
        return folder().resolve(platform());
    }

    /** GCC's code is up to a tenth faster; Zig links it with an older C library than this machine's. */
    private static boolean isForLinuxHere(String platform) {
        return platform.equals(platform()) && platform.startsWith("linux");
    }

    private static Optional<String> ownCompiler() {
        return NativeBuild.compiler().map(Path::toString);
    }

    private boolean isRelease(String platform) {
        String target = TARGETS.getOrDefault(platform, "");
        return stamp(platform, Zig.VERSION, target).isFresh()
                && !Workspace.filesBelow(folder().resolve(platform)).isEmpty();
    }

    private void build(String platform, Map<String, String> environment) {
        Path output = folder().resolve(platform);
        Workspace.delete(output);
        Subprocess.of("sh", sources().resolve("build.sh"), output, platform)
                .in(workspace.root())
                .with(environment)
                .orFail("compiling the kernels for " + platform + " failed: the reason is above");
    }

    private Stamp stamp(String platform, Object... settings) {
        return Stamp.of(workspace, "kernels-" + platform, List.of(sources()), settings);
    }

    private Path sources() {
        return workspace.engine().resolve("src/main/c");
    }

    /** As the engine's NativeLibrary names it. */
    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : "linux";
        String machine = System.getProperty("os.arch");
        return system + "-" + (machine.equals("amd64") ? "x86_64" : machine);
    }
}
