package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.DownloadPhase;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.EngineInfo;
import uzu.Model;
import uzu.UzuException;

class LocalEngineTest {
    private static final String SMOLLM2 = "huggingface:smollm2:135m:gguf:q4_1:4";

    @TempDir
    private Path cache;

    private Engine engine;

    @BeforeEach
    void create() {
        engine = Engine.create(
                EngineConfig.create(Map.of("UZU_CACHE", cache.toString())).withOffline(true));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void findsModelsByIdentifierAndShorthand() {
        Model model = Objects.requireNonNull(engine.model("smollm2"));
        assertEquals(SMOLLM2, model.identifier());
        assertEquals(model, engine.model(SMOLLM2));
        assertNull(engine.model("no-such-model"));
        assertTrue(engine.models().contains(model));
        assertTrue(engine.modelsLocal().contains(model));
        assertTrue(engine.modelsForChat().contains(model));
        assertTrue(engine.modelsDownloadable().contains(model));
        assertEquals(List.of(), engine.modelsRemote());
        assertEquals(List.of(model), engine.modelsByFamily(Objects.requireNonNull(model.family())));
        assertTrue(engine.modelsByVendor(model.family().vendor()).contains(model));
        assertTrue(engine.modelFamilies().contains(model.family()));
        assertTrue(engine.modelVendors().contains(model.family().vendor()));
        assertTrue(engine.modelRegistries().contains(model.registry()));
    }

    @Test
    void tellsWhatItComputesWith() {
        EngineInfo info = engine.info();
        assertTrue(info.threads() >= 1);
        boolean inJava = Set.of("scalar", "vector").contains(info.matrixKernels());
        assertEquals(info.kernelLibrary() == null, inJava);
        assertEquals(0, info.weightBytes());
        assertEquals(0, info.workingBytes());
    }

    @Test
    void aModelThatIsNotDownloadedSaysSo() {
        Model model = Objects.requireNonNull(engine.model("smollm2"));
        assertNull(engine.modelPath(model));
        assertEquals(
                new DownloadPhase.NotDownloaded(),
                Objects.requireNonNull(engine.downloadState(model)).phase());
        assertEquals(
                new DownloadPhase.NotDownloaded(),
                engine.downloadStates().get(SMOLLM2).phase());
        assertThrows(UzuException.InvalidState.class, () -> engine.chat(model));
        assertThrows(UzuException.InvalidState.class, () -> engine.complete(model, "text"));
        assertThrows(UzuException.InvalidState.class, () -> engine.countTokens(model, "text"));
        assertThrows(UzuException.InvalidState.class, () -> engine.capabilities(model));
    }

    @Test
    void aFolderWithoutTokenizerIsATypedError() {
        Model model = engine.model(checkpoint().toString());
        assertNotNull(model);
        UzuException error = assertThrows(UzuException.class, () -> engine.chat(model));
        assertTrue(error.getMessage().contains("tokenizer"), error.getMessage());
    }

    @Test
    void aModelThatVanishedIsNotFound() throws IOException {
        Path copy = Files.createDirectory(cache.resolve("copy"));
        try (var files = Files.list(checkpoint())) {
            for (Path file : files.toList()) {
                if (Files.isRegularFile(file)) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
        }
        Model model = engine.model(copy.toString());
        assertNotNull(model);
        try (var files = Files.list(copy)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(copy);
        assertThrows(UzuException.ModelNotFound.class, () -> engine.chat(model));
    }

    @Test
    void aClosedEngineRefusesEverything() {
        Model model = Objects.requireNonNull(engine.model("smollm2"));
        engine.close();
        engine.close();
        assertThrows(UzuException.Closed.class, () -> engine.model("smollm2"));
        assertThrows(UzuException.Closed.class, () -> engine.models());
        assertThrows(UzuException.Closed.class, () -> engine.chat(model));
        assertThrows(UzuException.Closed.class, () -> engine.download(model));
    }

    private static Path checkpoint() {
        try {
            return Path.of(Objects.requireNonNull(LocalEngineTest.class.getResource("/checkpoints/llama"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
