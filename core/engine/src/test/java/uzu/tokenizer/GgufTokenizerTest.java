package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.UzuException;
import uzu.format.Gguf;

/** The vocabulary files that llama.cpp tests itself with; the original tokenizers made their expected ids. */
class GgufTokenizerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpt-2",
                "llama-bpe",
                "llama-spm",
                "qwen2",
                "qwen35",
                "gemma-4",
                "phi-3",
                "deepseek-coder",
                "deepseek-llm",
                "command-r",
                "falcon",
                "mpt",
                "starcoder",
                "refact"
            })
    void encodesAsTheOriginal(String name) throws IOException {
        Path file = PublishedVocabularies.ggml(name);
        Tokenizer tokenizer = PublishedVocabularies.load(file);
        String[] texts = Files.readString(Path.of(file + ".inp")).split("\n__ggml_vocab_test__\n", -1);
        String[] expected = Files.readString(Path.of(file + ".out")).split("\n", -1);
        assertTrue(texts.length >= 46, () -> texts.length + " texts");
        for (int i = 0; i < texts.length; i++) {
            int[] ids = Stream.of(expected[i].trim().split(" "))
                    .filter(s -> !s.isEmpty())
                    .mapToInt(Integer::parseInt)
                    .toArray();
            String text = texts[i];
            assertArrayEquals(ids, tokenizer.encode(text, false), () -> name + ": \"" + text + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bert-bge", "nomic-bert-moe"})
    void refusesOtherKindsOfTokenizersByName(String name) {
        Path file = PublishedVocabularies.ggml(name);
        try (Gguf gguf = Gguf.open(file)) {
            var e = assertThrows(UzuException.ModelUnsupported.class, () -> Tokenizer.of(gguf.metadata()));
            assertEquals("tokenizer.ggml.model", e.details().get("field"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aquila", "gpt-neox"})
    void refusesAByteLevelVocabularyWithoutPreTokenizer(String name) {
        Path file = PublishedVocabularies.ggml(name);
        try (Gguf gguf = Gguf.open(file)) {
            var e = assertThrows(UzuException.ModelUnsupported.class, () -> Tokenizer.of(gguf.metadata()));
            assertEquals("tokenizer.ggml.pre", e.details().get("field"));
        }
    }

    @Test
    void parsesSpecialTokensOnlyWhenAsked() {
        Tokenizer qwen = PublishedVocabularies.load(PublishedVocabularies.ggml("qwen2"));
        assertArrayEquals(
                new int[] {151644, 872, 198, 13048, 151645}, qwen.encode("<|im_start|>user\nHi<|im_end|>", true));
        for (int id : qwen.encode("<|im_start|>user\nHi<|im_end|>", false)) {
            assertFalse(qwen.isSpecial(id));
        }
    }

    @Test
    void knowsTheTokensThatEndAReply() {
        Tokenizer qwen = PublishedVocabularies.load(PublishedVocabularies.ggml("qwen2"));
        assertArrayEquals(new int[] {151643, 151645}, qwen.endOfGeneration());
        Tokenizer llama = PublishedVocabularies.load(PublishedVocabularies.ggml("llama-bpe"));
        assertArrayEquals(new int[] {128001, 128009}, llama.endOfGeneration());
        assertTrue(llama.addsBos());
        assertFalse(qwen.addsBos());
    }
}
