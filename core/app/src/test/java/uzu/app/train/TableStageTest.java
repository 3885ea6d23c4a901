package uzu.app.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.speculate.NgramTables;

class TableStageTest {
    private static final long FINGERPRINT = 42;

    @TempDir
    private Path folder;

    private final List<Dialogue> first = List.of(dialogue(1, true), dialogue(2, false), dialogue(3, false));
    private final List<Dialogue> second = List.of(dialogue(4, false), dialogue(5, true));

    /** Answers in which a token is mostly followed by the next but {@code step − 1}. */
    private static Dialogue dialogue(int step, boolean heldOut) {
        Dialogue dialogue = new Dialogue(heldOut, 0);
        dialogue.given(new int[] {5, 6});
        for (int i = 1; i < 60; i++) {
            int token = 10 + i * step % 40;
            int[] ids = {token, 7, 8, 9, 0, 1, 2, 3};
            dialogue.read(token, Dialogue.ASSISTANT, ids, new float[] {0.7f, 0.1f, 0.05f, 0.05f, 0, 0, 0, 0});
        }
        return dialogue;
    }

    private static byte[] tables(TrainingFolder work) throws IOException {
        Path file = work.path().resolve("tables.bin");
        new TableStage(work, new Progress(new PrintStream(PrintStream.nullOutputStream()), "tables"))
                .run(FINGERPRINT, file);
        return Files.readAllBytes(file);
    }

    @Test
    void aRunThatWasKilledAndResumedMakesTheSameFile() throws IOException {
        TrainingFolder whole = TrainingFolder.create(folder.resolve("whole"));
        Shard.write(whole.dialogues(0), first);
        Shard.write(whole.dialogues(1), second);
        byte[] expected = tables(whole);

        // Killed while it wrote the second shard, later while it wrote the tables.
        TrainingFolder work = TrainingFolder.create(folder.resolve("work"));
        Shard.write(work.dialogues(0), first);
        byte[] shard = Files.readAllBytes(whole.dialogues(1));
        Path part = work.path().resolve(work.dialogues(1).getFileName() + ".part");
        Files.write(part, Arrays.copyOf(shard, shard.length / 2));
        assertEquals(1, work.shards());
        assertFalse(Arrays.equals(expected, tables(work)));
        Shard.write(work.dialogues(work.shards()), second);
        Files.write(work.path().resolve("tables.bin.part"), Arrays.copyOf(expected, expected.length + 9));
        assertArrayEquals(expected, tables(work));
        assertFalse(Files.exists(part));
    }

    @Test
    void whatIsHeldOutIsNotLearnt() throws IOException {
        TrainingFolder all = TrainingFolder.create(folder.resolve("all"));
        Shard.write(all.dialogues(0), first);
        TrainingFolder learnt = TrainingFolder.create(folder.resolve("learnt"));
        Shard.write(learnt.dialogues(0), first.subList(1, 3));
        assertArrayEquals(tables(learnt), tables(all));
    }

    @Test
    void dialoguesReadFromAFileMakeTheTablesThatTheyMadeBefore() throws IOException {
        TrainingFolder work = TrainingFolder.create(folder.resolve("work"));
        Shard.write(work.dialogues(0), second);
        NgramTraining.Settings settings = new NgramTraining.Settings(new float[] {2, 2, 2}, 6_000_000, 0.7, 0.3, 0.03);
        byte[] before = new NgramTraining(second, settings).train(FINGERPRINT);
        byte[] after = new NgramTraining(Shard.read(work.dialogues(0)), settings).train(FINGERPRINT);
        assertArrayEquals(before, after);
        NgramTables tables = NgramTables.of(after, "tables");
        assertEquals(FINGERPRINT, tables.fingerprint());
        assertTrue(tables.vocabulary() > 40);
    }
}
