package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Swift 6 or newer: the system's where there is one, else on Debian and its like the one of Debian 13, unpacked into the
 * user's cache and laid over /usr for the processes that need it and for no other.
 */
record SwiftToolchain(Workspace workspace) {
    private static final int OLDEST = 6;
    private static final Pattern VERSION = Pattern.compile("Swift version (\\d+)\\.");
    private static final List<String> PROGRAMS =
            List.of("bash", "apt-get", "apt-config", "dpkg", "dpkg-deb", "tar", "flock", "unshare", "mount");

    /** Why Swift is neither here nor can be installed here, if so. */
    Optional<String> missing() {
        return isHere() ? Optional.empty() : impossible();
    }

    /** Whether nothing has to be fetched for it. */
    boolean isHere() {
        return isOfTheSystem() || isInstalled();
    }

    /** Installs it if need be, or fails. */
    void ensure() {
        if (isOfTheSystem()) {
            return;
        }
        if (!isInstalled()) {
            impossible().ifPresent(why -> {
                throw new Failure(why);
            });
            Progress.say("fetching Swift of Debian 13 into " + folder() + " (555 MB, 1.4 GB unpacked)");
        }
        // The script knows best whether it is complete, and of its version.
        if (Subprocess.of("bash", workspace.tools().resolve("swift/install-toolchain.sh"), folder())
                .outputWithErrorsShown()
                .isEmpty()) {
            throw new Failure("Swift could not be installed; the same command goes on where it stopped");
        }
    }

    /** {@code swift} with these arguments. */
    Subprocess swift(Object... arguments) {
        return atHome(run("swift")).arguments(List.of(arguments));
    }

    /** {@code swift build}, which speaks where errors go: the output is that of the program which is then run. */
    Subprocess build() {
        return atHome(run("sh", "-c", "exec swift build --quiet \"$@\" >&2", "swift"));
    }

    private Subprocess atHome(Subprocess swift) {
        Path home = folder().resolve("home");
        return isOfTheSystem()
                ? swift
                : swift.with(Map.of(
                        "XDG_CACHE_HOME", home.resolve("cache").toString(),
                        "XDG_CONFIG_HOME", home.resolve("config").toString()));
    }

    /** A program that Swift has built, or one of its own. */
    Subprocess run(Object... command) {
        return isOfTheSystem()
                ? Subprocess.of(command)
                : Subprocess.of("bash", wrapper(), root()).arguments(List.of(command));
    }

    /** Its version in a line; what was built by one version is stale for another. */
    String version() {
        return swift("--version").output().orElse("").lines().findFirst().orElse("");
    }

    Path folder() {
        return workspace.cache().resolve("tools/swift");
    }

    private Path root() {
        return folder().resolve("root");
    }

    private boolean isInstalled() {
        return Files.isRegularFile(root().resolve(".stamp"));
    }

    private static boolean isOfTheSystem() {
        Matcher version =
                VERSION.matcher(Subprocess.of("swift", "--version").output().orElse(""));
        return version.find() && Integer.parseInt(version.group(1)) >= OLDEST;
    }

    private Optional<String> impossible() {
        String wanted = "Swift " + OLDEST + " or newer is missing, and ";
        Optional<String> program = PROGRAMS.stream()
                .filter(name -> Subprocess.find(name).isEmpty())
                .findFirst();
        if (program.isPresent()) {
            return Optional.of(wanted + "only on Debian and its like can it be installed (no " + program.get() + ")");
        }
        String architecture =
                Subprocess.of("dpkg", "--print-architecture").output().orElse("");
        if (!List.of("amd64", "arm64").contains(architecture)) {
            return Optional.of(wanted + "there is none for " + architecture);
        }
        if (!Files.isSymbolicLink(Path.of("/bin"))) {
            return Optional.of(wanted + "this system keeps /bin and /usr/bin apart");
        }
        return hasOverlays()
                ? Optional.empty()
                : Optional.of(wanted + "here no process may lay one folder over another (mount namespaces)");
    }

    /** Whether a process may see another /usr than the rest: many containers forbid it. */
    private boolean hasOverlays() {
        Path trial = folder().resolve("trial");
        try {
            Files.createDirectories(trial.resolve("usr/lib64"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Subprocess.of("bash", wrapper(), trial, "true").output().isPresent();
    }

    private Path wrapper() {
        return workspace.tools().resolve("swift/with-toolchain.sh");
    }
}
