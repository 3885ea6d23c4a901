package uzu.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import uzu.ChatConfig;
import uzu.ChatDrafter;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSpeculationPreset;
import uzu.ChatVerifier;
import uzu.Completion;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.Model;
import uzu.SamplingMethod;
import uzu.UzuException;
import uzu.format.Gguf;

/** A Hugging Face folder through the whole engine, with the vocabulary of its GGUF twin as tokenizer.json. */
final class FolderModelTest {
    private static final Path CHECKPOINTS = Path.of("src/test/resources/checkpoints");
    private static final ChatReplyConfig GREEDY =
            ChatReplyConfig.create().withTokenLimit(12).withSamplingMethod(new SamplingMethod.Greedy());

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"llama", "llama3_rope", "qwen2", "qwen3", "gemma3"})
    void aFolderContinuesAText(String family) throws IOException {
        makeFolder(folder, family, CHECKPOINTS.resolve(family + "/model.gguf"));
        try (Engine engine = Engine.create(EngineConfig.create())) {
            Model model = model(engine, folder);
            Completion completion = engine.complete(model, "abc", GREEDY);
            assertEquals(3, completion.stats().tokensCountInput());
            assertEquals(
                    completion.text(), engine.complete(model, "abc", GREEDY).text());
            assertEquals(7, engine.countTokens(model, "abc def"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = "qwen3")
    void aFoldersTemplateIsUsedForChat(String family) throws IOException {
        makeFolder(folder, family, CHECKPOINTS.resolve(family + "/model.gguf"));
        try (Engine engine = Engine.create(EngineConfig.create());
                ChatSession session = engine.chat(model(engine, folder))) {
            var reply = session.reply(List.of(ChatMessage.user().withText("hi")), GREEDY)
                    .getFirst();
            assertEquals("<user>hi<assistant>".length(), reply.stats().tokensCountInput());
            assertEquals(2, session.messages().size());
        }
    }

    @Test
    void aFolderThatHasChangedIsReadAnew() throws IOException {
        makeFolder(folder, "qwen3", CHECKPOINTS.resolve("qwen3/model.gguf"));
        try (Engine engine = Engine.create(EngineConfig.create())) {
            Model model = model(engine, folder);
            assertEquals(512, engine.capabilities(model).contextLength());

            Path config = folder.resolve("config.json");
            Files.writeString(config, Files.readString(config).replace("512", "256"));
            Files.setLastModifiedTime(config, FileTime.fromMillis(System.currentTimeMillis() + 10_000));
            assertEquals(256, engine.capabilities(model).contextLength());
        }
    }

    @Test
    void aNetworkBesideTheModelDraftsAndChangesNothing() throws IOException {
        makeFolder(folder, "llama", CHECKPOINTS.resolve("llama/model.gguf"));
        try (Engine engine = Engine.create(EngineConfig.create())) {
            Model model = model(engine, folder);
            String plain = reply(engine, model, new ChatSpeculationPreset.Off());
            assertThrows(UzuException.InvalidArgument.class, () -> reply(engine, model, NETWORK));
            Path network = Files.createDirectories(folder.resolve("speculator")).resolve("network.gguf");
            Files.copy(Path.of("src/test/resources/network/network.gguf"), network);
            UzuException other = assertThrows(UzuException.ModelCorrupt.class, () -> reply(engine, model, NETWORK));
            assertEquals("feature.fingerprint", other.details().get("key"));

            String message = other.getMessage();
            String fingerprint = message.substring(message.lastIndexOf(' ') + 1);
            byte[] bytes = Files.readAllBytes(network);
            int at = new String(bytes, ISO_8859_1).indexOf("feedfeedfeedfeed-64-2");
            assertEquals("feedfeedfeedfeed-64-2".length(), fingerprint.length());
            System.arraycopy(fingerprint.getBytes(ISO_8859_1), 0, bytes, at, fingerprint.length());
            Files.write(network, bytes);
            assertEquals(plain, reply(engine, model, NETWORK));
            assertEquals(plain, reply(engine, model, new ChatSpeculationPreset.Auto()));
        }
    }

    private static final ChatSpeculationPreset NETWORK =
            new ChatSpeculationPreset.Custom(List.of(new ChatDrafter.Network()), 8, ChatVerifier.SHARED_NOISE);

    /** A second turn too, which reuses what the first one computed. */
    private static String reply(Engine engine, Model model, ChatSpeculationPreset preset) {
        try (ChatSession session = engine.chat(model, ChatConfig.create().withSpeculationPreset(preset))) {
            String first = session.reply(List.of(ChatMessage.user().withText("abc")), GREEDY)
                    .getFirst()
                    .message()
                    .text();
            return first
                    + session.reply(List.of(ChatMessage.user().withText("and")), GREEDY)
                            .getFirst()
                            .message()
                            .text();
        }
    }

    private static Model model(Engine engine, Path path) {
        Model model = engine.model(path.toAbsolutePath().toString());
        assertNotNull(model);
        return model;
    }

    /** The checkpoint with the twin's vocabulary as a tokenizer.json, and a chat template. */
    static void makeFolder(Path folder, String family, Path twin) throws IOException {
        try (Stream<Path> files = Files.list(CHECKPOINTS.resolve(family))) {
            for (Path file : files.sorted(Comparator.naturalOrder()).toList()) {
                String name = file.getFileName().toString();
                if (name.equals("config.json") || name.startsWith("model") && !name.endsWith(".gguf")) {
                    Files.copy(file, folder.resolve(name));
                }
            }
        }
        JsonMapper json = new JsonMapper();
        ObjectNode tokenizer = json.createObjectNode();
        tokenizer.putArray("added_tokens");
        tokenizer
                .putObject("pre_tokenizer")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("use_regex", true);
        tokenizer.putObject("decoder").put("type", "ByteLevel");
        ObjectNode model = tokenizer.putObject("model").put("type", "BPE");
        ObjectNode vocabulary = model.putObject("vocab");
        try (Gguf gguf = Gguf.open(twin)) {
            String[] tokens = gguf.metadata().strings("tokenizer.ggml.tokens");
            for (int id = 0; id < tokens.length; id++) {
                vocabulary.put(tokens[id], id);
            }
        }
        model.putArray("merges");
        Files.writeString(folder.resolve("tokenizer.json"), tokenizer.toString());
        ObjectNode settings = json.createObjectNode()
                .put(
                        "chat_template",
                        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
                                + "{% if add_generation_prompt %}<assistant>{% endif %}");
        Files.writeString(folder.resolve("tokenizer_config.json"), settings.toString());
    }
}
