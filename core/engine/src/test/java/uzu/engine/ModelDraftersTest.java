package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.ChatDrafter;
import uzu.ChatSpeculationPreset;
import uzu.ChatVerifier;
import uzu.generate.ToyTokenizer;
import uzu.speculate.Drafter;
import uzu.speculate.NgramTablesBuilder;
import uzu.tokenizer.VocabularyFingerprint;

class ModelDraftersTest {
    private static final List<String> SPECIFIC_FIRST = List.of("lookup", "recall", "tables");

    @TempDir
    Path folder;

    @Test
    void draftersAreMergedMostSpecificFirstHoweverTheyAreNamed() throws Exception {
        ToyTokenizer tokenizer = new ToyTokenizer();
        NgramTablesBuilder tables = new NgramTablesBuilder(VocabularyFingerprint.of(tokenizer), 2, 2);
        tables.add(1, NgramTablesBuilder.hash(1), 2, new int[] {2, 3}, new double[] {1, 0.77});
        Files.write(Files.createDirectory(folder.resolve("speculator")).resolve("tables.bin"), tables.build());
        try (ModelDrafters drafters = new ModelDrafters(folder, tokenizer)) {
            assertEquals(SPECIFIC_FIRST, names(drafters, new ChatSpeculationPreset.Auto()));
            for (List<ChatDrafter> named : List.of(
                    List.<ChatDrafter>of(new ChatDrafter.Tables(), new ChatDrafter.Recall(), new ChatDrafter.Lookup()),
                    List.<ChatDrafter>of(
                            new ChatDrafter.Recall(), new ChatDrafter.Lookup(), new ChatDrafter.Tables()))) {
                ChatSpeculationPreset custom = new ChatSpeculationPreset.Custom(named, 16, ChatVerifier.SHARED_NOISE);
                assertEquals(SPECIFIC_FIRST, names(drafters, custom));
            }
        }
    }

    private static List<String> names(ModelDrafters drafters, ChatSpeculationPreset preset) {
        return drafters.speculation(preset).drafters().stream()
                .map(Drafter::name)
                .toList();
    }
}
