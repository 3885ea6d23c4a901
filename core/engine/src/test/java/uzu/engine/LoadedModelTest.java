package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import uzu.EngineConfig;
import uzu.KvCache;
import uzu.SamplingMethod;
import uzu.UzuException;
import uzu.format.Checkpoint;
import uzu.generate.ToyTokenizer;

class LoadedModelTest {
    @TempDir
    private Path folder;

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file can't be cut there")
    void aFileThatIsCutWhileItIsReadIsAnErrorThatNamesIt() throws IOException {
        Path path =
                Files.copy(Path.of("src/test/resources/checkpoints/llama/model.gguf"), folder.resolve("model.gguf"));
        try (Checkpoint checkpoint = ModelFiles.open(path)) {
            ToyTokenizer tokenizer = new ToyTokenizer();
            ModelFiles files =
                    new ModelFiles(tokenizer, new Prompts(tokenizer, null), 512, new SamplingMethod.Greedy());
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            UzuException error = assertThrows(
                    UzuException.ModelCorrupt.class,
                    () -> LoadedModel.load(
                            path,
                            checkpoint,
                            FilesReading.done(files),
                            EngineConfig.create(Map.of()),
                            KvCache.F16,
                            identifier -> {
                                throw new AssertionError(identifier);
                            },
                            unused -> {}));
            assertEquals(Map.of("path", path.toString()), error.details());
        }
    }
}
