package uzu.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Node.js, and the pinned packages that building and testing bindings-js needs, in its node_modules. */
record NodeEnvironment(Workspace workspace) {
    private static final int OLDEST = 20;
    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\..*");

    /** Why nothing can be done here, if so. */
    Optional<String> missing() {
        if (Workspace.isWindows()) {
            return Optional.of("libuzu is not there for Windows yet");
        }
        Optional<String> version = version();
        if (version.isEmpty() || Subprocess.find("npm").isEmpty()) {
            return Optional.of("Node.js " + OLDEST + " or newer with npm is missing");
        }
        Matcher number = VERSION.matcher(version.get());
        return number.matches() && Integer.parseInt(number.group(1)) >= OLDEST
                ? Optional.empty()
                : Optional.of("Node.js is too old: " + version.get() + ", and " + OLDEST + " is needed");
    }

    /** Installs the packages, exactly those of package-lock.json, or fails. */
    void ensure() {
        missing().ifPresent(why -> {
            throw new Failure(why);
        });
        Path folder = workspace.js();
        Stamp stamp = Stamp.of(
                workspace,
                "node-packages",
                List.of(folder.resolve("package.json"), folder.resolve("package-lock.json")),
                version().orElse(""));
        if (stamp.isFresh() && Files.isDirectory(packages())) {
            return;
        }
        Progress.say("installing the npm packages that bindings-js is built with");
        // Scripts of packages don't run: none of these needs its own.
        npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
                .in(folder)
                .orFail("npm could not install the packages of " + folder.resolve("package-lock.json"));
        stamp.write();
    }

    Subprocess node(Object... arguments) {
        return Subprocess.of("node").arguments(List.of(arguments));
    }

    Subprocess npm(Object... arguments) {
        return Subprocess.of("npm").arguments(List.of(arguments));
    }

    /** The TypeScript compiler. */
    Subprocess tsc(Object... arguments) {
        return node(packages().resolve("typescript/bin/tsc")).arguments(List.of(arguments));
    }

    Path packages() {
        return workspace.js().resolve("node_modules");
    }

    private Optional<String> version() {
        return Subprocess.of("node", "--version").output();
    }
}
