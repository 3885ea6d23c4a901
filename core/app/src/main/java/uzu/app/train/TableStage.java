package uzu.app.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import uzu.app.train.NgramTraining.Settings;
import uzu.speculate.Drafter;
import uzu.speculate.Lookup;
import uzu.speculate.NgramTables;
import uzu.speculate.PassCosts;
import uzu.speculate.Tables;

/** Makes n-gram tables of all dialogues, and says what they would have saved of the held-out answers. */
final class TableStage {
    private static final Settings SETTINGS = new Settings(new float[] {2, 2, 2}, 6_000_000, 0.7, 0.3, 0.03);
    private static final int ROWS = 4;
    private static final int MOST_REPLIES = 200;

    private final TrainingFolder folder;
    private final Progress progress;

    TableStage(TrainingFolder folder, Progress progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * @param fingerprint of the vocabulary
     * @param file is there whole or not at all
     */
    void run(long fingerprint, Path file) {
        List<Dialogue> learnt = new ArrayList<>();
        List<Dialogue> heldOut = new ArrayList<>();
        for (int number = 0; number < folder.shards(); number++) {
            for (Dialogue dialogue : Shard.read(folder.dialogues(number))) {
                (dialogue.isHeldOut() ? heldOut : learnt).add(dialogue);
            }
        }
        progress.say("counting %d dialogues", learnt.size());
        byte[] tables = new NgramTraining(learnt, SETTINGS).train(fingerprint);
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.write(part, tables);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw Disk.failure(file, e);
        }
        progress.say("%s: %.1f MB of %d dialogues", file, tables.length / 1e6, learnt.size());
        report(NgramTables.of(tables, file.toString()), heldOut);
    }

    private void report(NgramTables tables, List<Dialogue> heldOut) {
        List<Replay.Reply> replies = heldOut.stream()
                .flatMap(dialogue -> replies(dialogue).stream())
                .limit(MOST_REPLIES)
                .toList();
        if (replies.isEmpty()) {
            progress.say("no held-out answers to measure on");
            return;
        }
        Drafter drafter = new Tables(() -> tables);
        progress.say(
                "held out, %d answers, %d rows: %.2f tokens a pass with lookup, %.2f with tables, %.2f with both",
                replies.size(),
                ROWS,
                tokensPerPass(replies, List.of(new Lookup())),
                tokensPerPass(replies, List.of(drafter)),
                tokensPerPass(replies, List.of(new Lookup(), drafter)));
    }

    private static double tokensPerPass(List<Replay.Reply> replies, List<Drafter> drafters) {
        // As if rows were nearly free up to the limit, so that trees are as large as it allows.
        PassCosts costs = new PassCosts(new int[] {1, ROWS}, new double[] {1, 1.01});
        Replay replay = new Replay(costs, drafters, ROWS);
        replies.forEach(replay::add);
        return replay.tokensPerPass();
    }

    /** Each answer of a dialogue, after all that comes before it. */
    static List<Replay.Reply> replies(Dialogue dialogue) {
        List<Replay.Reply> replies = new ArrayList<>();
        int[] ids = dialogue.ids();
        for (int start = 1, end; start < ids.length; start = end) {
            byte writer = dialogue.writer(start);
            end = start + 1;
            while (end < ids.length && dialogue.writer(end) == writer) {
                end++;
            }
            if (writer == Dialogue.ASSISTANT) {
                replies.add(new Replay.Reply(Arrays.copyOf(ids, end), start, 0, 0));
            }
        }
        return replies;
    }
}
