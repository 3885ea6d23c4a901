package uzu.app.train;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets the model write dialogues into shards until there are enough answer tokens, or the time is over. */
final class DialogueStage {
    private static final int TOKENS_PER_SHARD = 12_000;
    private static final int BYTES_PER_TOKEN = 70;
    private static final int TOKENS_PER_ANSWER_TOKEN = 2;

    private final TrainingFolder folder;
    private final Progress progress;

    DialogueStage(TrainingFolder folder, Progress progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * @param prompts first user turns
     * @param tap records features beside the dialogues, or null
     * @param count dialogues at a time
     * @param wanted answer tokens in all shards together
     * @param featured of them, those whose features are kept
     * @param deadline {@link System#nanoTime} at which to stop, with what there is
     */
    void run(
            Target target,
            Prompts prompts,
            @Nullable FeatureTap tap,
            int count,
            long wanted,
            long featured,
            long deadline) {
        List<int[]> used = new ArrayList<>();
        long tokens = 0;
        int number = folder.shards();
        for (int i = 0; i < number; i++) {
            for (Dialogue dialogue : Shard.read(folder.dialogues(i))) {
                tokens += dialogue.answerTokens();
                used.add(target.turns().prompt(dialogue));
            }
        }
        if (tokens >= wanted) {
            progress.say("%d answer tokens are there", tokens);
            return;
        }
        long bytes = (wanted - tokens) * BYTES_PER_TOKEN
                + (tap == null ? 0 : 2L * tap.width() * Math.max(0, Math.min(featured, wanted) - tokens));
        Disk.require(folder.path(), TOKENS_PER_ANSWER_TOKEN * bytes, "dialogues of " + (wanted - tokens) + " tokens");
        progress.say("%d prompts have come in earlier runs", prompts.leaveOut(used));
        long start = System.nanoTime();
        long before = tokens;
        List<Dialogue> done = new ArrayList<>();
        // Another beginning of the random numbers for each shard that a resumed run starts with.
        long seed = 1_000_003L * number + 17;
        try (Writers writers = new Writers(
                target.model().executable(), target.vocabulary(), target.turns(), prompts, tap, count, seed)) {
            boolean enough = false;
            while (!enough) {
                writers.step(done::add);
                long answers =
                        tokens + done.stream().mapToLong(Dialogue::answerTokens).sum();
                enough = answers >= wanted || System.nanoTime() >= deadline;
                boolean full = done.stream().mapToInt(Dialogue::size).sum() >= TOKENS_PER_SHARD;
                if ((full || enough) && !done.isEmpty()) {
                    write(number++, done, tap != null && tokens < featured);
                    done.clear();
                    tokens = answers;
                    progress.say(
                            "%d of %d answer tokens, %.0f a second",
                            tokens, wanted, (tokens - before) / ((System.nanoTime() - start) / 1e9));
                }
            }
        }
    }

    private void write(int number, List<Dialogue> dialogues, boolean features) {
        Path file = folder.features(number);
        if (features) {
            Shard.writeFeatures(file, dialogues);
        } else {
            Shard.forget(file);
        }
        Shard.write(folder.dialogues(number), dialogues);
    }
}
