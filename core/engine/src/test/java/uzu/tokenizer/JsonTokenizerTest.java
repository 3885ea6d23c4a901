package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Equality with Python's tokenizers on published tokenizer.json files. */
class JsonTokenizerTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Path RESOURCES = Path.of("src/test/resources/tokenizer");

    @ParameterizedTest
    @ValueSource(strings = {"qwen3", "llama3_1", "llama2", "gemma3", "deepseek_v3", "gptoss"})
    void agreesWithPythonOnTrickyTexts(String name) {
        Tokenizer tokenizer = PublishedVocabularies.loadJson(PublishedVocabularies.json(name));
        JsonNode texts = JSON.readTree(RESOURCES.resolve("texts.json"));
        assertEquals(195, texts.size());
        compare(name, tokenizer, texts, JSON.readTree(RESOURCES.resolve(name + ".json")));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"qwen3", "llama3_1", "llama2", "gemma3", "deepseek_v3", "gptoss"})
    void agreesWithPythonOnRandomTexts(String name, @TempDir Path folder) throws IOException, InterruptedException {
        String python = System.getenv("UZU_PYTHON");
        assumeTrue(python != null, "UZU_PYTHON is not set: tools/tools test sets it");
        Path file = PublishedVocabularies.json(name);
        long seed = System.nanoTime();
        RandomTexts random = new RandomTexts(seed);
        Path texts = folder.resolve("texts.json");
        JSON.writeValue(
                texts, IntStream.range(0, 1000).mapToObj(i -> random.next(60)).toList());
        Path out = folder.resolve("ids.json");
        Path script = Path.of("src/test/python/tokenizer_ids.py");
        Process process = new ProcessBuilder(
                        python, script.toString(), file.toString(), texts.toString(), out.toString())
                .inheritIO()
                .start();
        assertEquals(0, process.waitFor());
        Tokenizer tokenizer = PublishedVocabularies.loadJson(file);
        compare(name + ", seed " + seed, tokenizer, JSON.readTree(texts), JSON.readTree(out));
    }

    private static void compare(String label, Tokenizer tokenizer, JsonNode texts, JsonNode expected) {
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i).asString();
            String about = label + ": " + texts.get(i);
            int[] special = ids(expected.get("special").get(i));
            assertArrayEquals(special, tokenizer.encode(text, true), about);
            assertArrayEquals(ids(expected.get("plain").get(i)), tokenizer.encode(text, false), about + ", plain");
            assertEquals(
                    expected.get("decoded").get(i).asString(),
                    decode(tokenizer.stream(), special),
                    about + ", decoded");
        }
    }

    private static int[] ids(JsonNode list) {
        return list.valueStream().mapToInt(JsonNode::asInt).toArray();
    }

    private static String decode(TextStream stream, int[] ids) {
        StringBuilder text = new StringBuilder();
        for (int id : ids) {
            text.append(stream.next(id));
        }
        return text.append(stream.flush()).toString();
    }

    @Test
    void specialTokensAreTextOnlyWhereTheyAreWanted() {
        Tokenizer llama = PublishedVocabularies.loadJson(PublishedVocabularies.json("llama3_1"));
        int[] ids = llama.encode("<|eot_id|>é<|begin_of_text|>", true);
        assertEquals("é", decode(llama.stream(), ids));
        assertEquals("<|eot_id|>é", decode(llama.stream(Set.of("<|eot_id|>", "<no such token>")), ids));
    }

    @Test
    void readsBosAndEos() {
        Tokenizer llama = PublishedVocabularies.loadJson(PublishedVocabularies.json("llama3_1"));
        assertEquals(OptionalInt.of(128000), llama.bos());
        assertEquals(OptionalInt.of(128009), llama.eos());
        assertTrue(llama.addsBos());
        Tokenizer qwen = PublishedVocabularies.loadJson(PublishedVocabularies.json("qwen3"));
        assertEquals(OptionalInt.empty(), qwen.bos());
        assertFalse(qwen.addsBos());
        assertArrayEquals(new int[] {151643, 151645}, qwen.endOfGeneration());
    }

    @Test
    void bothKindsOfFileGiveTheSameIds() throws IOException {
        Path gguf = PublishedVocabularies.ggml("qwen2");
        Path json = PublishedVocabularies.json("qwen3");
        assumeTrue(Files.exists(gguf) && Files.exists(json));
        Tokenizer a = PublishedVocabularies.load(gguf);
        Tokenizer b = PublishedVocabularies.loadJson(json);
        long seed = new SplittableRandom().nextLong();
        RandomTexts random = new RandomTexts(seed);
        for (int i = 0; i < 500; i++) {
            String text = random.next(80);
            assertArrayEquals(a.encode(text, false), b.encode(text, false), () -> "seed " + seed + ": " + text);
        }
    }
}
