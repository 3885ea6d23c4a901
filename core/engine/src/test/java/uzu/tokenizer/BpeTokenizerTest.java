package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.UzuException;

/** What holds for every text, on published vocabularies. */
class BpeTokenizerTest {
    private static Tokenizer load(String name) {
        return PublishedVocabularies.load(PublishedVocabularies.ggml(name));
    }

    private static String decode(Tokenizer tokenizer, int[] ids) {
        TextStream stream = tokenizer.stream();
        StringBuilder text = new StringBuilder();
        for (int id : ids) {
            text.append(stream.next(id));
        }
        return text.append(stream.flush()).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-2", "llama-bpe", "qwen35", "llama-spm", "gemma-4"})
    void decodingGivesTheTextBack(String name) {
        Tokenizer tokenizer = load(name);
        long seed = new SplittableRandom().nextLong();
        RandomTexts random = new RandomTexts(seed);
        for (int i = 0; i < 500; i++) {
            // SentencePiece has no spelling of its own for the character that stands for a space.
            String text = random.next(60).replace('\u2581', '_');
            assertEquals(text, decode(tokenizer, tokenizer.encode(text, false)), () -> name + ", seed " + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-2", "llama-spm"})
    void aStreamShowsEveryCompleteCharacterAtOnce(String name) {
        Tokenizer tokenizer = load(name);
        String text = "Zoë 👩‍👩‍👧 漢字 ᠮᠣᠩ 𝕳 e\u0301 🇩🇪\n";
        TextStream stream = tokenizer.stream();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StringBuilder shown = new StringBuilder();
        for (int id : tokenizer.encode(text, false)) {
            bytes.writeBytes(tokenizer.bytes(id));
            shown.append(stream.next(id));
            String complete = bytes.toString(StandardCharsets.UTF_8).replaceFirst("\uFFFD+$", "");
            assertEquals(name.endsWith("spm") ? complete.substring(1) : complete, shown.toString());
        }
        assertEquals(text, shown + stream.flush());
    }

    @Test
    void anyIdsDecodeWithoutHalfCharacters() {
        Tokenizer tokenizer = load("gpt-2");
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            int[] ids = random.ints(30, 0, tokenizer.size()).toArray();
            String text = decode(tokenizer, ids);
            assertEquals(text, Utf8.scrub(text), () -> "seed " + seed);
        }
    }

    @Test
    void byteTokensJoinToCharacters() {
        Tokenizer tokenizer = load("llama-spm");
        TextStream stream = tokenizer.stream();
        StringBuilder shown = new StringBuilder();
        for (String piece : List.of("\u2581Hi", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "\u2581there")) {
            shown.append(stream.next(tokenizer.id(piece).orElseThrow())).append('|');
        }
        assertEquals("Hi||||😀| there|", shown.toString());
        assertEquals("", stream.next(tokenizer.id("<0xE2>").orElseThrow()));
        assertEquals("\uFFFD", stream.flush());
        assertEquals("Hi", stream.next(tokenizer.id("\u2581Hi").orElseThrow()), "a flushed stream starts anew");
    }

    @Test
    void specialTokensGiveNoText() {
        Tokenizer tokenizer = load("llama-bpe");
        int[] ids = tokenizer.encode("<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|>", true);
        assertEquals("user\n\nHi", decode(tokenizer, ids));
        assertEquals("<|eot_id|>", new String(tokenizer.bytes(128009), StandardCharsets.UTF_8));
        assertTrue(tokenizer.isSpecial(128009));
    }

    @Test
    void loneSurrogatesBecomeReplacementCharacters() {
        Tokenizer tokenizer = load("gpt-2");
        assertArrayEquals(tokenizer.encode("a\uFFFDb\uFFFD", false), tokenizer.encode("a\uD800b\uDC00", false));
    }

    @Test
    void refusesIdsOutsideTheVocabulary() {
        Tokenizer tokenizer = load("gpt-2");
        assertEquals(50257, tokenizer.size());
        var e = assertThrows(UzuException.InvalidArgument.class, () -> tokenizer.bytes(50257));
        assertEquals("50257", e.details().get("id"));
        assertThrows(
                UzuException.InvalidArgument.class, () -> tokenizer.stream().next(-1));
    }

    // Quadratic work on half a million characters would take many minutes; the limit leaves room for a busy machine.
    @ParameterizedTest
    @ValueSource(strings = {"llama-bpe", "deepseek-coder", "llama-spm"})
    void takesLinearTimeOnLongRuns(String name) {
        Tokenizer tokenizer = load(name);
        List<String> runs =
                List.of("a", " ", "\n", " \n", "'", "1", "的", "😀", "<|im_end|>", "<", "a\u0301", "Aa ", "\u2581");
        for (String run : runs) {
            String text = run.repeat((1 << 19) / run.length());
            int[] ids = assertTimeoutPreemptively(
                    Duration.ofSeconds(60), () -> tokenizer.encode(text, true), () -> name + ": " + run);
            assertFalse(ids.length == 0);
        }
    }

    @Test
    void threadsShareATokenizer() throws InterruptedException, ExecutionException {
        Tokenizer tokenizer = load("gpt-2");
        RandomTexts random = new RandomTexts(1);
        List<String> texts = new ArrayList<>();
        List<int[]> expected = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            texts.add(random.next(60));
            expected.add(tokenizer.encode(texts.get(i), false));
        }
        try (var threads = Executors.newFixedThreadPool(4)) {
            Callable<Integer> task = () -> {
                for (int i = 0; i < texts.size(); i++) {
                    assertArrayEquals(expected.get(i), tokenizer.encode(texts.get(i), false));
                }
                return texts.size();
            };
            for (Future<Integer> done : threads.invokeAll(List.of(task, task, task, task))) {
                assertEquals(300, done.get());
            }
        }
    }
}
