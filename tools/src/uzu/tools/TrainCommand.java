package uzu.tools;

import java.util.ArrayList;
import java.util.List;

/** {@code train-drafter}: the uzu program's command, with the Python environment and the prompts that it needs. */
record TrainCommand(Workspace workspace) {
    /** @param arguments the command's name and what follows it */
    int run(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean starts = words.size() > 1 && !words.contains("--status") && !words.contains("--stop");
        if (starts) {
            TrainingEnvironment environment = new TrainingEnvironment(workspace);
            if (trainsNetworks(words)) {
                environment.ensureTorch();
                words.addAll(List.of("--python", environment.interpreter().toString()));
                words.addAll(List.of("--trainers", environment.programs().toString()));
            }
            if (words.stream().noneMatch(word -> word.equals("--prompts") || word.startsWith("--prompts="))) {
                words.addAll(List.of("--prompts", environment.ensurePrompts().toString()));
            }
        }
        return new AppCommand(workspace).run(words);
    }

    private static boolean trainsNetworks(List<String> words) {
        int at = words.indexOf("--only");
        String kinds = at >= 0 && at + 1 < words.size()
                ? words.get(at + 1)
                : words.stream()
                        .filter(word -> word.startsWith("--only="))
                        .findFirst()
                        .orElse("network");
        return kinds.contains("network") || kinds.contains("block");
    }
}
