package uzu.tools;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The C compiler that compiles for other systems: the package ziglang from PyPI, once for all copies of the repository. */
record Zig(Workspace workspace) {
    static final String VERSION = "0.17.1";

    /** Fetches it if need be; the environment in which {@code zig} is a command. */
    Map<String, String> ensure() {
        Path tools = workspace.cache().resolve("tools");
        Path folder = tools.resolve("ziglang-" + VERSION);
        Path programs = folder.resolve("ziglang");
        if (!Files.isExecutable(programs.resolve(Workspace.isWindows() ? "zig.exe" : "zig"))) {
            fetch(folder);
        }
        String path = programs + File.pathSeparator + System.getenv().getOrDefault("PATH", "");
        String cache = tools.resolve("zig-cache").toString();
        return Map.of("PATH", path, "ZIG_GLOBAL_CACHE_DIR", cache, "ZIG_LOCAL_CACHE_DIR", cache);
    }

    private void fetch(Path folder) {
        Progress.say("fetching the C compiler of ziglang " + VERSION + " (100 MB)");
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        Path partial = folder.resolveSibling(
                folder.getFileName() + "." + ProcessHandle.current().pid());
        python.python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
                .arguments(List.of("--target", partial, "ziglang==" + VERSION))
                .orFail("pip could not fetch ziglang " + VERSION);
        Workspace.move(partial, folder);
    }
}
