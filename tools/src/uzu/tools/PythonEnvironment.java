package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A virtual environment in build/python with pinned packages and the repository's own uzu package. */
record PythonEnvironment(Workspace workspace) {
    private static final String MISSING =
            "Python 3.10 or newer is missing: install it (python3 on the PATH), or set UZU_PYTHON to it";

    /** An interpreter that finds the uzu package, which needs nothing else. */
    void ensure() {
        String chosen = Objects.requireNonNullElse(System.getenv("UZU_PYTHON"), "");
        Stamp stamp = Stamp.of(workspace, "python-environment", List.of(), chosen);
        if (stamp.isFresh() && Files.isExecutable(interpreter())) {
            return;
        }
        String base = basePython(chosen);
        Progress.say("making the Python environment");
        Workspace.delete(folder());
        Subprocess.of(base, "-m", "venv", folder())
                .orFail("Python's venv module is missing: install it (on Debian and Ubuntu: apt install python3-venv)");
        addSources();
        stamp.write();
    }

    /** And what the tests compare with. */
    void ensureForTests() {
        ensure();
        ensurePackages("test");
    }

    /** And Jupyter with what else only {@code test --full} takes the time for. */
    void ensureForFullTests() {
        ensureForTests();
        ensurePackages("full-test");
    }

    private void ensurePackages(String name) {
        Path requirements = workspace.tools().resolve("python/" + name + "-requirements.txt");
        Stamp stamp =
                Stamp.of(workspace, "python-" + name + "-packages", List.of(requirements), versionOfEnvironment());
        if (stamp.isFresh()) {
            return;
        }
        Progress.say("installing the Python packages that the tests need");
        python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements)
                .orFail("pip could not install the packages of " + requirements);
        stamp.write();
    }

    Path interpreter() {
        return programs().resolve(Workspace.isWindows() ? "python.exe" : "python");
    }

    Subprocess python(Object... arguments) {
        return Subprocess.of(interpreter()).arguments(List.of(arguments)).with(variables());
    }

    /** For programs that call Python or pip themselves: they find this environment first. */
    Map<String, String> variables() {
        String path = programs() + java.io.File.pathSeparator + System.getenv().getOrDefault("PATH", "");
        return Map.of("UZU_PYTHON", interpreter().toString(), "PATH", path);
    }

    /** The folder of installed packages. */
    Path packages() {
        return python("-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
                .output()
                .map(Path::of)
                .orElseThrow(() -> new Failure("the new Python environment does not run: " + interpreter()));
    }

    /** A new environment has none of the packages, whatever the stamps of the old one say. */
    private String versionOfEnvironment() {
        try {
            return Files.getLastModifiedTime(folder().resolve("pyvenv.cfg")).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The package is used from its sources; a path file keeps the environment right whatever changes there. */
    private void addSources() {
        try {
            Files.writeString(
                    packages().resolve("uzu-sources.pth"), workspace.python().resolve("src") + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The interpreter that environments are made of. */
    static String base() {
        return basePython(Objects.requireNonNullElse(System.getenv("UZU_PYTHON"), ""));
    }

    /** The chosen interpreter, or the first that is new enough, as it names itself. */
    private static String basePython(String chosen) {
        List<String> candidates = chosen.isBlank()
                ? List.of("python3", "python", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10")
                : List.of(chosen);
        for (String candidate : candidates) {
            Optional<String> program = Subprocess.of(
                            candidate,
                            "-c",
                            "import sys; assert sys.version_info >= (3, 10); print(sys.executable or '')")
                    .output();
            if (program.isPresent() && !program.get().isEmpty()) {
                return program.get();
            }
        }
        throw new Failure(MISSING);
    }

    private Path folder() {
        return workspace.build().resolve("python");
    }

    private Path programs() {
        return folder().resolve(Workspace.isWindows() ? "Scripts" : "bin");
    }
}
