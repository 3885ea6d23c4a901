package uzu.app.train;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import uzu.backend.Executable;
import uzu.backend.Sequence;

/** Runs the model over dialogues that were recorded without features, and records those. */
final class FeatureStage {
    private static final int CHUNK = 128;

    private final TrainingFolder folder;
    private final Progress progress;

    FeatureStage(TrainingFolder folder, Progress progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * @param wanted answer tokens that need features; shards behind them get none
     * @param deadline {@link System#nanoTime} at which to stop, with what there is
     */
    void run(Executable executable, FeatureTap tap, long wanted, long deadline) {
        long tokens = 0;
        for (int number = 0; number < folder.shards() && tokens < wanted; number++) {
            if (System.nanoTime() >= deadline) {
                progress.say("the time is over; %d answer tokens have features", tokens);
                return;
            }
            List<Dialogue> dialogues = Shard.read(folder.dialogues(number));
            Path file = folder.features(number);
            tokens += dialogues.stream().mapToLong(Dialogue::answerTokens).sum();
            if (Shard.hasFeatures(file, dialogues, tap.width())) {
                continue;
            }
            long size = dialogues.stream().mapToLong(Dialogue::size).sum();
            Disk.require(folder.path(), 2 * size * tap.width(), "features of " + size + " tokens");
            List<Dialogue> featured = new ArrayList<>();
            for (Dialogue dialogue : dialogues) {
                featured.add(featured(executable, tap, dialogue));
            }
            Shard.writeFeatures(file, featured);
            progress.say("%d answer tokens have features", tokens);
        }
    }

    private static Dialogue featured(Executable executable, FeatureTap tap, Dialogue dialogue) {
        int[] ids = dialogue.ids();
        Dialogue featured = new Dialogue(dialogue.isHeldOut(), tap.width());
        featured.given(ids);
        int chunk = Math.min(CHUNK, executable.maxRows());
        try (Sequence sequence = executable.newSequence()) {
            for (int from = 0; from < ids.length; from += chunk) {
                Run run = new Run(sequence, Arrays.copyOfRange(ids, from, Math.min(from + chunk, ids.length)));
                executable.run(run, () -> false, null);
                featured.addFeatures(tap, 0, run.size());
                run.commit();
            }
        }
        return featured;
    }
}
