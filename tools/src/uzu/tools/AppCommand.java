package uzu.tools;

import java.util.ArrayList;
import java.util.List;

/** The commands that the uzu program itself has, on a fresh build. */
record AppCommand(Workspace workspace) {
    private static final String PEER = "--peer";

    /** @param arguments the command's name and what follows it */
    int run(List<String> arguments) {
        List<String> words = withPeer(arguments);
        JavaBuild java = new JavaBuild(workspace);
        java.ensure();
        new NativeBuild(workspace).ensureKernels();
        return java.java(java.classPath())
                .arguments(List.of("uzu.app.Main"))
                .arguments(words)
                .run();
    }

    /** {@code --peer llama.cpp} becomes the program, built if need be; {@code bench greedy} always has one. */
    private List<String> withPeer(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean greedy = words.size() > 2 && words.subList(0, 2).equals(List.of("bench", "greedy"));
        if (greedy && words.stream().noneMatch(word -> word.equals(PEER) || word.startsWith(PEER + "="))) {
            words.addAll(List.of(PEER, Peer.NAME));
        }
        for (int i = 1; i < words.size(); i++) {
            if (words.get(i).equals(PEER + "=" + Peer.NAME)) {
                words.set(i, PEER + "=" + new Peer(workspace).program());
            } else if (words.get(i - 1).equals(PEER) && words.get(i).equals(Peer.NAME)) {
                words.set(i, new Peer(workspace).program().toString());
            }
        }
        return words;
    }
}
