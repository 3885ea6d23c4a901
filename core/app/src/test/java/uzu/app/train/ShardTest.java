package uzu.app.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

class ShardTest {
    @TempDir
    private Path folder;

    @Test
    void dialoguesComeBackAsTheyWere() {
        Path file = folder.resolve("a.safetensors");
        Shard.write(file, List.of(dialogue(3, true), dialogue(5, false)));
        List<Dialogue> read = Shard.read(file);
        assertEquals(2, read.size());
        assertTrue(read.get(0).isHeldOut());
        assertFalse(read.get(1).isHeldOut());
        assertArrayEquals(new int[] {5, 1001, 1002, 1003, 1004}, read.get(1).ids());
        assertEquals(Dialogue.ASSISTANT, read.get(1).writer(2));
        assertEquals(Dialogue.GIVEN, read.get(1).writer(0));
        assertEquals(27, read.get(1).topId(2, 7));
        assertEquals(0.125f, read.get(1).topProbability(2, 7));
        assertEquals(0, read.get(1).topId(0, 7));
        assertEquals(4, read.get(1).answerTokens());
    }

    @Test
    void halfAFileIsRefused() throws Exception {
        Path file = folder.resolve("a.safetensors");
        Shard.write(file, List.of(dialogue(3, false)));
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length += 7) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThrows(UzuException.ModelCorrupt.class, () -> Shard.read(file));
        }
    }

    @Test
    void featuresCountOnlyForTheirOwnTokens() throws Exception {
        Path file = folder.resolve("f.safetensors");
        List<Dialogue> dialogues = List.of(featured(3), featured(4));
        assertFalse(Shard.hasFeatures(file, dialogues, 2));
        Shard.writeFeatures(file, dialogues);
        assertTrue(Shard.hasFeatures(file, dialogues, 2));
        assertFalse(Shard.hasFeatures(file, dialogues, 4));
        assertFalse(Shard.hasFeatures(file, List.of(featured(4), featured(3)), 2));
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) - 1));
        assertFalse(Shard.hasFeatures(file, dialogues, 2));
    }

    @Test
    void shardsCountUpToTheFirstThatIsMissing() throws Exception {
        TrainingFolder work = TrainingFolder.create(folder.resolve("work"));
        Shard.write(work.dialogues(0), List.of(dialogue(3, false)));
        Shard.write(work.dialogues(2), List.of(dialogue(3, false)));
        Files.createFile(work.path().resolve("dialogues-0001.safetensors.part"));
        assertEquals(1, work.shards());
    }

    @Test
    void bfloat16RoundsToNearestEven() {
        assertEquals((short) 0x3F80, FeatureTap.bfloat16(1));
        assertEquals((short) 0x3F80, FeatureTap.bfloat16(1 + 1 / 256f));
        assertEquals((short) 0x3F82, FeatureTap.bfloat16(1 + 3 / 256f));
        assertEquals((short) 0xBF81, FeatureTap.bfloat16(-1 - 1.1f / 256));
    }

    private static Dialogue featured(int size) {
        Dialogue dialogue = new Dialogue(false, 2);
        dialogue.given(IntStream.rangeClosed(1, size).toArray());
        dialogue.addFeatures(new short[] {1, 2, 3, 4});
        return dialogue;
    }

    private static Dialogue dialogue(int size, boolean heldOut) {
        Dialogue dialogue = new Dialogue(heldOut, 0);
        dialogue.given(new int[] {5});
        for (int i = 1; i < size; i++) {
            int[] ids = new int[Dialogue.TOP];
            float[] probabilities = new float[Dialogue.TOP];
            for (int k = 0; k < Dialogue.TOP; k++) {
                ids[k] = 10 * i + k;
                probabilities[k] = 1f / (k + 1);
            }
            dialogue.read(1000 + i, Dialogue.ASSISTANT, ids, probabilities);
        }
        return dialogue;
    }
}
