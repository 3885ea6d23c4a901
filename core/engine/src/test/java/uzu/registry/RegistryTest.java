package uzu.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import uzu.EngineConfig;
import uzu.Model;
import uzu.ModelSpecialization;
import uzu.UzuException;

class RegistryTest {
    private static final String SMOLLM2 = "huggingface:smollm2:135m:gguf:q4_1:4";

    @TempDir
    Path folder;

    private Registry registry;

    @BeforeEach
    void open() {
        EngineConfig config = EngineConfig.create(Map.of())
                .withCachePath(folder.resolve("cache"))
                .withLocalPath(folder.resolve("models"));
        registry = new Registry(config, (model, download) -> {});
    }

    @Test
    void theCatalogsPartsMakeUpItsModels() {
        List<CatalogEntry> entries = Catalog.builtIn().entries();
        assertEquals(
                List.of(
                        SMOLLM2,
                        "alibaba:qwen2.5-coder:0.5b:gguf:q4_k_m:4",
                        "alibaba:qwen2.5-coder:1.5b:gguf:q4_k_m:4",
                        "google:gemma-3:270m:gguf:q4_k_m:4"),
                entries.stream().map(CatalogEntry::identifier).toList());
        for (CatalogEntry entry : entries) {
            assertEquals(
                    entry.bytes(),
                    entry.parts().stream().mapToLong(CatalogEntry.Part::bytes).sum(),
                    entry.identifier());
        }
    }

    @Test
    void modelsGoByIdentifierShorthandAndRepository() {
        assertEquals(SMOLLM2, identifier(SMOLLM2));
        assertEquals(SMOLLM2, identifier("smollm2"));
        assertEquals(SMOLLM2, identifier("SmolLM2:135M"));
        assertEquals(SMOLLM2, identifier("huggingface:smollm2"));
        assertEquals(SMOLLM2, identifier("smollm2:q4_1"));
        assertEquals(SMOLLM2, identifier("HuggingFaceTB/SmolLM2-135M-Instruct"));
        assertEquals("alibaba:qwen2.5-coder:1.5b:gguf:q4_k_m:4", identifier("qwen2.5-coder"));
        assertEquals("alibaba:qwen2.5-coder:0.5b:gguf:q4_k_m:4", identifier("qwen2.5-coder:0.5b"));
        for (String unknown : new String[] {"", ":", "135m", "smollm2:360m", "smollm", "135m:smollm2", "q4_1"}) {
            assertNull(registry.find(unknown), unknown);
        }
    }

    @Test
    void theDefaultModelIsDescribed() {
        Model model = Objects.requireNonNull(registry.find("smollm2"));
        assertEquals(
                "Hugging Face", Objects.requireNonNull(model.family()).vendor().name());
        assertTrue(model.isChatCapable() && model.isLocal() && model.isDownloadable() && model.isQuantized());
        assertNull(registry.path(model));
        assertFalse(Objects.requireNonNull(registry.find("gemma-3")).isChatCapable());
    }

    @Test
    void aFileIsDescribedByItsMetadata() {
        Path file = resource("checkpoints/qwen3/model.gguf");
        Model model = Objects.requireNonNull(registry.find(file.toString()));
        assertEquals(file.toString(), model.identifier());
        assertEquals("qwen3", model.name());
        assertEquals("172k", Objects.requireNonNull(model.properties()).size());
        assertNull(model.quantization());
        assertFalse(model.isDownloadable());
        assertEquals(file, registry.path(model));
        assertThrows(UzuException.InvalidArgument.class, () -> registry.downloader(model));
    }

    @Test
    void aFolderIsDescribedByItsFiles() throws IOException {
        Model model = Objects.requireNonNull(
                registry.find(resource("checkpoints/llama").toString()));
        assertEquals("llama", model.name());
        assertEquals("98k", Objects.requireNonNull(model.properties()).size());
        assertFalse(model.isChatCapable());
    }

    @Test
    void theUsersFolderIsListedAndSearched() throws IOException {
        Path models = Files.createDirectories(folder.resolve("models"));
        Files.copy(resource("format/types.gguf"), models.resolve("a.gguf"));
        Files.writeString(models.resolve("broken.gguf"), "GGUF");
        Files.writeString(models.resolve("notes.txt"), "not a model");
        Path packed = Files.createDirectory(models.resolve("packed"));
        Files.copy(resource("format/types.gguf"), packed.resolve("b.gguf"));
        Path drafters = Files.createDirectory(models.resolve("a.speculator"));
        Files.copy(resource("format/types.gguf"), drafters.resolve("network.gguf"));
        List<String> local = registry.models().stream()
                .filter(model -> model.registry().equals(LocalModels.REGISTRY))
                .map(model -> models.relativize(Path.of(model.identifier())).toString())
                .toList();
        assertEquals(List.of("a.gguf", Path.of("packed", "b.gguf").toString()), local);
        assertEquals("a.gguf", Objects.requireNonNull(registry.find("a.gguf")).name());
        assertNotNull(registry.find("packed"));
        assertThrows(UzuException.ModelCorrupt.class, () -> registry.find("broken.gguf"));
        assertNull(registry.find("none.gguf"));
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeIsNoModelAndNotWaitedFor() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        assertNull(registry.find(pipe.toString()));
    }

    @Test
    void sizesAreWrittenAsInIdentifiers() {
        assertEquals("135m", LocalModels.size(134_515_008));
        assertEquals("1.5b", LocalModels.size(1_543_714_304));
        assertEquals("8b", LocalModels.size(8_030_261_248L));
        assertEquals("1b", LocalModels.size(999_600_000));
        assertEquals("98k", LocalModels.size(97_600));
    }

    @Test
    void codeModelsAreKnownAsSuch() {
        assertEquals(
                List.of(ModelSpecialization.CHAT, ModelSpecialization.CODE),
                Objects.requireNonNull(registry.find("qwen2.5-coder")).specializations());
    }

    private String identifier(String name) {
        return Objects.requireNonNull(registry.find(name), name).identifier();
    }

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(RegistryTest.class.getResource("/" + name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
