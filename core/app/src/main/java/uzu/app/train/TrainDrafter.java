package uzu.app.train;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** quick generator for now */
public final class TrainDrafter {
    private TrainDrafter() {}

    public static void main(String[] args) {
        TrainingFolder folder = TrainingFolder.create(Path.of(args[1]));
        try (Target target = Target.open(Path.of(args[0]), Integer.parseInt(args[3]))) {
            TargetStage.run(folder, target.checkpoint());
            Prompts prompts = Prompts.read(folder.prompts(), Double.parseDouble(args[5]), target.tokenizer());
            new DialogueStage(folder, new Progress(System.out, "dialogues"))
                    .run(target, prompts, target.tap(), Integer.parseInt(args[4]), Long.parseLong(args[2]), System.nanoTime() + 7200L * 1_000_000_000L);
        }
    }
}
