package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Where things lie: the repository, what is built in it, and the user's cache outside it. */
record Workspace(Path root) {
    Path build() {
        return root.resolve("build");
    }

    Path engine() {
        return root.resolve("core/engine");
    }

    Path app() {
        return root.resolve("core/app");
    }

    Path bridge() {
        return root.resolve("core/bridge");
    }

    Path python() {
        return root.resolve("bindings-python");
    }

    Path js() {
        return root.resolve("bindings-js");
    }

    Path tools() {
        return root.resolve("tools");
    }

    /** The JDK this program runs on, which the launcher has chosen. */
    Path jdk() {
        return Path.of(System.getProperty("java.home"));
    }

    Path jdkProgram(String name) {
        return jdk().resolve("bin").resolve(isWindows() ? name + ".exe" : name);
    }

    /** The folder that the engine keeps models in, by the engine's own rule. */
    Path cache() {
        String chosen = System.getenv("UZU_CACHE");
        return chosen != null && !chosen.isBlank()
                ? Path.of(chosen)
                : Path.of(System.getProperty("user.home"), ".cache", "uzu");
    }

    /** Continuous integration: what is missing there is a fault, not a reason to skip. */
    static boolean isContinuousIntegration() {
        return "true".equalsIgnoreCase(System.getenv("CI"));
    }

    static boolean isWindows() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    }

    /** The regular files below a folder, or the file itself; sorted, and none where nothing is there. */
    static List<Path> filesBelow(Path path) {
        if (!Files.exists(path)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(path)) {
            return found.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folders directly inside one, sorted. */
    static List<Path> foldersIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(Files::isDirectory).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a file, or all that is below a folder, to a place where nothing is yet. */
    static void copy(Path from, Path to) {
        for (Path file : filesBelow(from)) {
            Path target = to.resolve(from.relativize(file).toString());
            try {
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Gives a folder its name, whole; where another process has been faster, its folder stays. */
    static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            if (!Files.isDirectory(to)) {
                throw new UncheckedIOException(e);
            }
            delete(from);
        }
    }

    static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> found = Files.walk(path)) {
            for (Path each : found.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
