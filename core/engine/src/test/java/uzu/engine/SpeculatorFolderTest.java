package uzu.engine;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uzu.ChatConfig;
import uzu.ChatDrafter;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSpeculationPreset;
import uzu.ChatVerifier;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.Model;
import uzu.SamplingMethod;
import uzu.UzuException;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.generate.ToyTokenizer;
import uzu.model.LanguageModel;
import uzu.tokenizer.Tokenizer;

/** A model with an exported speculator beside it, through the whole engine. */
class SpeculatorFolderTest {
    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final ChatSpeculationPreset NETWORK =
            new ChatSpeculationPreset.Custom(List.of(new ChatDrafter.Network()), 24, ChatVerifier.SHARED_NOISE);

    @TempDir
    Path folder;

    private Path model(String config, String other) throws IOException {
        FolderModelTest.makeFolder(folder, "qwen3", RESOURCES.resolve("checkpoints/qwen3/model.gguf"));
        speculator("speculator", config, other);
        return folder;
    }

    private void speculator(String name, String config, String other) throws IOException {
        Path speculator = Files.createDirectories(folder.resolve(name));
        Path exported = RESOURCES.resolve("speculators/qwen3");
        Files.copy(exported.resolve("model.safetensors"), speculator.resolve("model.safetensors"), REPLACE_EXISTING);
        String text = Files.readString(exported.resolve("config.json"));
        assertTrue(text.contains(config));
        Files.writeString(speculator.resolve("config.json"), text.replace(config, other));
    }

    /** Drafters of the file {@code model.gguf}, all that it has. */
    private int drafters() throws IOException {
        Path path = folder.resolve("model.gguf");
        if (!Files.exists(path)) {
            Files.copy(RESOURCES.resolve("checkpoints/qwen3/model.gguf"), path);
        }
        Tokenizer tokenizer = new ToyTokenizer();
        try (Checkpoint checkpoint = ModelFiles.open(path);
                CpuBackend backend = CpuBackend.open(CpuOptions.defaults());
                LanguageModel model = LanguageModel.load(checkpoint, backend);
                ModelDrafters drafters = new ModelDrafters(path, tokenizer)) {
            drafters.load(path, model, backend, identifier -> {
                throw new AssertionError(identifier);
            });
            return drafters.speculation(new ChatSpeculationPreset.Auto())
                    .drafters()
                    .size();
        }
    }

    private static ChatSession chat(Engine engine, Path path, ChatSpeculationPreset preset) {
        Model model = Objects.requireNonNull(engine.model(path.toString()));
        return engine.chat(model, ChatConfig.create().withSpeculationPreset(preset));
    }

    private static ChatReply reply(ChatSession session, String text, SamplingMethod method) {
        ChatReplyConfig config = ChatReplyConfig.create()
                .withTokenLimit(60)
                .withSamplingMethod(method)
                .withSeed(7L);
        return session.reply(List.of(ChatMessage.user().withText(text)), config).getLast();
    }

    @Test
    void repliesAreThoseOfPlainDecoding() throws IOException {
        Path path = model("\"block_size\": 6", "\"block_size\": 6");
        List<SamplingMethod> methods = List.of(
                new SamplingMethod.Greedy(),
                SamplingMethod.Stochastic.create().withTemperature(0.7),
                SamplingMethod.Stochastic.create()
                        .withTemperature(1.2)
                        .withTopK(20)
                        .withRepetitionPenalty(1.2));
        for (int threads : new int[] {1, 2}) {
            for (SamplingMethod method : methods) {
                try (Engine engine = Engine.create(EngineConfig.create().withThreads(threads));
                        ChatSession plain = chat(engine, path, new ChatSpeculationPreset.Off());
                        ChatSession drafted = chat(engine, path, NETWORK);
                        ChatSession all = chat(engine, path, new ChatSpeculationPreset.Auto())) {
                    for (String text : List.of("abc", "a longer text about something else")) {
                        ChatReply expected = reply(plain, text, method);
                        ChatReply actual = reply(drafted, text, method);
                        assertEquals(expected.message().text(), actual.message().text());
                        assertEquals(
                                expected.message().text(),
                                reply(all, text, method).message().text());
                        assertNotNull(actual.stats().speculatorStats());
                    }
                }
            }
        }
    }

    @Test
    void aSpeculatorThatCantBeRunLeavesTheModelAndIsToldWhenAskedFor() throws IOException {
        Path path = model("\"has_sinks\": false", "\"has_sinks\": true");
        try (Engine engine = Engine.create(EngineConfig.create());
                ChatSession auto = chat(engine, path, new ChatSpeculationPreset.Auto())) {
            assertNotNull(reply(auto, "abc", new SamplingMethod.Greedy()).message());
            var refused = assertThrows(UzuException.ModelUnsupported.class, () -> chat(engine, path, NETWORK));
            assertEquals(
                    "speculator_config.draft_config.layer_configs.0.mixer_config.has_sinks",
                    refused.details().get("field"));
        }
    }

    @Test
    void aSpeculatorOfAnotherModelIsRefused() throws IOException {
        Path path = model("\"num_target_layers\": 3", "\"num_target_layers\": 5");
        try (Engine engine = Engine.create(EngineConfig.create())) {
            var refused = assertThrows(
                    UzuException.ModelCorrupt.class, () -> chat(engine, path, new ChatSpeculationPreset.Auto()));
            assertEquals("num_target_layers", refused.details().get("field"));
        }
    }

    @Test
    void filesDontMindDraftersOfAnotherFileInTheirFolder() throws IOException {
        int alone = drafters();
        speculator("speculator", "\"num_target_layers\": 3", "\"num_target_layers\": 5");
        Path network = RESOURCES.resolve("network/network.gguf");
        Files.copy(network, folder.resolve("speculator/network.gguf"));
        assertEquals(alone, drafters());

        Path own = Files.createDirectory(folder.resolve("model.speculator"));
        Path copy = Files.copy(network, own.resolve("network.gguf"));
        var refused = assertThrows(UzuException.ModelCorrupt.class, this::drafters);
        assertEquals("feature.fingerprint", refused.details().get("key"));
        Files.delete(copy);
        speculator("model.speculator", "\"block_size\": 6", "\"block_size\": 6");
        assertEquals(alone + 1, drafters());
        speculator("model.speculator", "\"num_target_layers\": 3", "\"num_target_layers\": 5");
        refused = assertThrows(UzuException.ModelCorrupt.class, this::drafters);
        assertEquals("num_target_layers", refused.details().get("field"));
    }

    @Test
    void aFolderThatFitsAFileBesideItServesIt() throws IOException {
        int alone = drafters();
        speculator("speculator", "\"block_size\": 6", "\"block_size\": 6");
        assertEquals(alone + 1, drafters());
    }

    @Test
    void aFileThatIsNoNetworkIsAnErrorWhoseverItIs() throws IOException {
        Files.createDirectory(folder.resolve("speculator"));
        Files.writeString(folder.resolve("speculator/network.gguf"), "GGUF");
        assertThrows(UzuException.ModelCorrupt.class, this::drafters);
    }
}
