package uzu.app.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

class ShardTest {
    @Test
    void dialoguesComeBackAsTheyWere(@TempDir Path folder) {
        Path file = folder.resolve("a.safetensors");
        Shard.write(file, List.of(dialogue(3), dialogue(5)));
        List<Dialogue> read = Shard.read(file);
        assertEquals(2, read.size());
        assertEquals(5, read.get(1).size());
        assertEquals(1002, read.get(1).id(2));
        assertEquals(Dialogue.ASSISTANT, read.get(1).writer(2));
        assertEquals(Dialogue.GIVEN, read.get(1).writer(0));
        assertEquals(27, read.get(1).topId(2, 7));
        assertEquals(0.125f, read.get(1).topProbability(2, 7));
        assertEquals(0, read.get(1).topId(0, 7));
    }

    @Test
    void halfAFileIsRefused(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a.safetensors");
        Shard.write(file, List.of(dialogue(3)));
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length += 7) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThrows(UzuException.ModelCorrupt.class, () -> Shard.read(file));
        }
    }

    private static Dialogue dialogue(int size) {
        Dialogue dialogue = new Dialogue();
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
