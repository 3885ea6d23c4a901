package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.UzuException;
import uzu.generate.ToyTokenizer;
import uzu.speculate.NgramTablesBuilder;
import uzu.tokenizer.Tokenizer;
import uzu.tokenizer.VocabularyFingerprint;

class ModelTablesTest {
    private static final Tokenizer TOY = new ToyTokenizer();

    @TempDir
    Path folder;

    @Test
    void aVocabularyWithoutTablesHasNone() {
        assertFalse(ModelTables.of(folder, TOY).exist());
        assertFalse(ModelTables.of(folder.resolve("model.gguf"), TOY).exist());
    }

    @Test
    void tablesBesideAModelAreRead() throws Exception {
        write(tables(VocabularyFingerprint.of(TOY), 257));
        assertTrue(ModelTables.of(folder, TOY).exist());
        assertTrue(ModelTables.of(Files.createFile(folder.resolve("model.gguf")), TOY)
                .exist());
    }

    @Test
    void aFilesOwnTablesComeBeforeThoseThatItsFolderShares() throws Exception {
        write(tables(1, 257));
        Path model = Files.createFile(folder.resolve("model.gguf"));
        assertFalse(ModelTables.of(model, TOY).exist());
        Path own = Files.createDirectories(folder.resolve("model.speculator")).resolve("tables.bin");
        Files.write(own, tables(VocabularyFingerprint.of(TOY), 257));
        assertTrue(ModelTables.of(model, TOY).exist());
        assertFalse(ModelTables.of(Files.createFile(folder.resolve("other.gguf")), TOY)
                .exist());
        Files.write(own, tables(1, 257));
        assertThrows(UzuException.ModelCorrupt.class, () -> ModelTables.of(model, TOY));
    }

    @Test
    void tablesOfAnotherVocabularyAreRefused() throws Exception {
        write(tables(1, 257));
        assertEquals("fingerprint", refused().details().get("field"));
        write(tables(VocabularyFingerprint.of(TOY), 258));
        assertEquals("fingerprint", refused().details().get("field"));
    }

    @Test
    void halfTablesAreRefused() throws Exception {
        byte[] whole = tables(VocabularyFingerprint.of(TOY), 257);
        write(Arrays.copyOf(whole, whole.length - 1));
        assertEquals(file().toString(), refused().details().get("path"));
        Path model = Files.createFile(folder.resolve("model.gguf"));
        assertThrows(UzuException.ModelCorrupt.class, () -> ModelTables.of(model, TOY));
    }

    private UzuException.ModelCorrupt refused() {
        return assertThrows(UzuException.ModelCorrupt.class, () -> ModelTables.of(folder, TOY));
    }

    private Path file() {
        return folder.resolve("speculator").resolve("tables.bin");
    }

    private void write(byte[] bytes) throws Exception {
        Files.createDirectories(file().getParent());
        Files.write(file(), bytes);
    }

    private static byte[] tables(long fingerprint, int token) {
        NgramTablesBuilder builder = new NgramTablesBuilder(fingerprint, 2);
        builder.add(1, NgramTablesBuilder.hash(1), 1, new int[] {token}, new double[] {0.5});
        return builder.build();
    }
}
