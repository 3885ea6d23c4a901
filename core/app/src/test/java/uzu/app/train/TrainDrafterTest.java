package uzu.app.train;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;

/** Tables of the dialogues of a tiny model with random weights. */
class TrainDrafterTest {
    private static final Path CHECKPOINTS = Path.of("../engine/src/test/resources/checkpoints");
    private static final String TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
            + "{% if add_generation_prompt %}<assistant>{% endif %}";

    @TempDir
    private Path folder;

    private Path model;

    @BeforeEach
    void aModel() throws IOException {
        model = folder.resolve("models/model.gguf");
        Files.createDirectories(model.getParent());
        Files.write(model, chatModel("llama"));
    }

    /** The checkpoint with what it lacks to write dialogues: a list of merges, here empty, and a template. */
    private static byte[] chatModel(String family) throws IOException {
        byte[] plain = Files.readAllBytes(CHECKPOINTS.resolve(family + "/model.gguf"));
        String merges = "tokenizer.ggml.merges";
        String key = "tokenizer.chat_template";
        int size = 8 + merges.length() + 16 + 8 + key.length() + 12 + TEMPLATE.length();
        String template = TEMPLATE + "{##}" + "\n".repeat(31 - (size + 3) % 32); // the data stays aligned
        ByteBuffer all = ByteBuffer.allocate(plain.length + size + template.length() - TEMPLATE.length())
                .order(ByteOrder.LITTLE_ENDIAN);
        all.put(plain, 0, 24);
        all.putLong(16, all.getLong(16) + 2);
        all.putLong(merges.length())
                .put(merges.getBytes(UTF_8))
                .putInt(9)
                .putInt(8)
                .putLong(0);
        all.putLong(key.length()).put(key.getBytes(UTF_8)).putInt(8);
        all.putLong(template.length()).put(template.getBytes(UTF_8));
        return all.put(plain, 24, plain.length - 24).array();
    }

    private void train(String work, int tokens) {
        PrintStream silent = new PrintStream(PrintStream.nullOutputStream());
        new TrainDrafter(
                        new TrainDrafter.Plan(
                                model,
                                folder.resolve(work),
                                Set.of(TrainDrafter.Kind.TABLES),
                                tokens,
                                0,
                                1,
                                1,
                                4,
                                null,
                                null),
                        silent)
                .run();
    }

    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        return files;
    }

    @Test
    void tablesAreMadeInAFolderOfTheFilesName() throws IOException {
        train("work", 20);
        assertEquals(
                Set.of(
                        "models/model.gguf",
                        "models/model.speculator/tables.bin",
                        "work/dialogues-0000.safetensors",
                        "work/model.txt"),
                files().keySet());
    }

    @Test
    void aLaterRunGoesOnWithTheSameModelWhereverItIs() throws IOException {
        train("work", 20);
        byte[] tables = files().get("models/model.speculator/tables.bin");
        Path moved = folder.resolve("moved.gguf");
        Files.move(model, moved);
        model = moved;
        train("work", 20);
        assertArrayEquals(tables, files().get("moved.speculator/tables.bin"));
        assertEquals(1, new TrainingFolder(folder.resolve("work")).shards());
    }

    @Test
    void anotherVocabularyInTheModelsPlaceEndsTheRunBeforeAnythingIsWritten() throws IOException {
        train("work", 20);
        byte[] bytes = Files.readAllBytes(model);
        int at = new String(bytes, ISO_8859_1).indexOf("@\1\0\0\0\0\0\0\0A");
        bytes[at] = 'A';
        bytes[at + 9] = '@';
        Files.write(model, bytes);
        refused();
    }

    @Test
    void otherWeightsInTheModelsPlaceEndTheRunBeforeAnythingIsWritten() throws IOException {
        train("work", 20);
        Files.write(model, chatModel("llama3_rope"));
        refused();
    }

    private void refused() throws IOException {
        Map<String, byte[]> before = files();
        UzuException error = assertThrows(UzuException.InvalidState.class, () -> train("work", 40));
        String first = error.details().get("expected");
        String second = error.details().get("found");
        assertTrue(error.getMessage().contains(model + " (" + first + ")"), error.getMessage());
        assertTrue(error.getMessage().contains(model + " (" + second + ")"), error.getMessage());
        Map<String, byte[]> after = files();
        assertEquals(before.keySet(), after.keySet());
        before.forEach((name, bytes) -> assertArrayEquals(bytes, after.get(name), name));

        train("other", 20);
    }

    @Test
    void aFolderThatDoesntSayWhoseItIsIsTheModels() throws IOException {
        train("work", 20);
        byte[] note = files().get("work/model.txt");
        Files.delete(folder.resolve("work/model.txt"));
        train("work", 20);
        assertArrayEquals(note, files().get("work/model.txt"));
        assertEquals(1, new TrainingFolder(folder.resolve("work")).shards());
    }
}
