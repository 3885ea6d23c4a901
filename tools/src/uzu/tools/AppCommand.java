package uzu.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The commands that the uzu program itself has, on a fresh build. */
record AppCommand(Workspace workspace) {
    private static final String PEER = "--peer";

    /** The programs that {@code llama.cpp} stands for after an option. */
    private static final Map<String, String> PROGRAMS = Map.of(PEER, Peer.LOGITS, "--against", Peer.BENCH);

    /** @param arguments the command's name and what follows it */
    int run(List<String> arguments) {
        List<String> words = withQuestions(withPeer(arguments));
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        new NativeBuild(workspace).ensureKernels();
        Subprocess program = java.java(java.classPath());
        // Kernels asked for by name: harmless twice.
        if (words.contains("vector") || words.contains("--kernels=vector")) {
            program = program.arguments(List.of(JavaBuild.VECTOR_API));
        }
        return program.arguments(List.of("-Duzu.revision=" + revision(), "uzu.app.Main"))
                .arguments(words)
                .run();
    }

    /** {@code bench speculation} asks what well-known collections ask. */
    private List<String> withQuestions(List<String> arguments) {
        boolean asks = arguments.size() > 2 && arguments.subList(0, 2).equals(List.of("bench", "speculation"));
        if (!asks || arguments.stream().anyMatch(word -> word.equals("--data") || word.startsWith("--data="))) {
            return arguments;
        }
        PythonEnvironment python = new PythonEnvironment(workspace);
        python.ensure();
        List<String> words = new ArrayList<>(arguments);
        words.addAll(List.of(
                "--data", new TestMaterial(workspace, python).questions().toString()));
        return words;
    }

    /** For the record of a measurement; with a plus sign where files differ from it. */
    private String revision() {
        Subprocess git = Subprocess.of("git").in(workspace.root());
        String changed = git.arguments(List.of("status", "--porcelain", "--untracked-files=no"))
                .output()
                .orElse("");
        return git.arguments(List.of("rev-parse", "--short", "HEAD")).output().orElse("")
                + (changed.isEmpty() ? "" : "+");
    }

    /**
     * {@code llama.cpp} after {@code --peer} or {@code --against} becomes the program, built if need be; {@code bench
     * greedy} always has one.
     */
    private List<String> withPeer(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean greedy = words.size() > 2 && words.subList(0, 2).equals(List.of("bench", "greedy"));
        if (greedy && words.stream().noneMatch(word -> word.equals(PEER) || word.startsWith(PEER + "="))) {
            words.addAll(List.of(PEER, Peer.NAME));
        }
        boolean against = words.contains(Peer.NAME) || words.contains("--against=" + Peer.NAME);
        boolean draft = words.stream().anyMatch(word -> word.equals("--draft") || word.startsWith("--draft="));
        if (against && draft) {
            new Peer(workspace).program(Peer.SPECULATIVE);
        }
        PROGRAMS.forEach((option, program) -> replace(words, option, program));
        return words;
    }

    private void replace(List<String> words, String option, String program) {
        for (int i = 1; i < words.size(); i++) {
            if (words.get(i).equals(option + "=" + Peer.NAME)) {
                words.set(i, option + "=" + new Peer(workspace).program(program));
            } else if (words.get(i - 1).equals(option) && words.get(i).equals(Peer.NAME)) {
                words.set(i, new Peer(workspace).program(program).toString());
            }
        }
    }
}
