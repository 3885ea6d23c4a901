package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import uzu.UzuException;

/** Small SentencePiece and byte-level vocabularies in GGUF keys, whole and broken. */
class BrokenGgufTokenizersTest {
    private static final String KEY = "tokenizer.ggml.";

    private static Map<String, Object> spaced() {
        Map<String, Object> values = new HashMap<>();
        values.put(KEY + "model", "llama");
        values.put(
                KEY + "tokens", new String[] {"<unk>", "<s>", "</s>", "\u2581", "a", "b", "ab", "\u2581a", "<0x41>"});
        values.put(KEY + "token_type", new int[] {2, 3, 3, 1, 1, 1, 1, 1, 6});
        values.put(KEY + "scores", new float[] {0, 0, 0, -1, -2, -3, -4, -5, 0});
        values.put(KEY + "bos_token_id", 1);
        values.put(KEY + "eos_token_id", 2);
        return values;
    }

    private static Tokenizer with(String key, Object value) {
        Map<String, Object> values = spaced();
        values.put(KEY + key, value);
        return Tokenizer.of(new MapMetadata(values));
    }

    private static void corrupt(String field, String key, Object value) {
        var e = assertThrows(UzuException.ModelCorrupt.class, () -> with(key, value));
        assertEquals(field, e.details().get("field"));
    }

    @Test
    void theHighestScoreMergesFirst() {
        assertArrayEquals(new int[] {3, 6, 6}, with("model", "llama").encode("abab", false));
        float[] scores = {0, 0, 0, -1, -2, -3, -5, -4, 0};
        assertArrayEquals(new int[] {7, 5, 6}, with("scores", scores).encode("abab", false));
    }

    @Test
    void unknownCharactersBecomeBytesOrOneUnknown() {
        assertArrayEquals(new int[] {7, 8, 0, 4}, with("model", "llama").encode("aAéöa", false));
    }

    @Test
    void thePrefixSpaceIsOptional() {
        assertArrayEquals(new int[] {6}, with("add_space_prefix", false).encode("ab", false));
        assertArrayEquals(new int[] {3, 6, 2, 7}, with("model", "llama").encode("ab</s>a", true));
    }

    @Test
    void specialSpellingsAreTextUnlessAskedFor() {
        assertArrayEquals(new int[] {3, 0}, with("model", "llama").encode("</s>", false));
        assertArrayEquals(new int[] {2}, with("model", "llama").encode("</s>", true));
    }

    @Test
    void brokenVocabulariesAreCorrupt() {
        corrupt("tokens", "tokens", new String[] {"<unk>", "<s>", "</s>", "a", "a", "b", "ab", "\u2581a", "<0x41>"});
        corrupt(KEY + "token_type", "token_type", new int[] {2, 3});
        corrupt(KEY + "token_type", "token_type", new int[] {2, 3, 3, 1, 1, 1, 1, 1, 9});
        corrupt(KEY + "token_type", "token_type", new int[] {2, 3, 3, 1, 1, 1, 1, 6, 6});
        corrupt(KEY + "scores", "scores", new float[] {1, 2});
        corrupt(KEY + "scores", "scores", new float[] {0, 0, 0, Float.NaN, -2, -3, -4, -5, 0});
        corrupt(KEY + "bos_token_id", "bos_token_id", 9);
        corrupt(KEY + "eos_token_id", "eos_token_id", -7);
    }

    @Test
    void aMergeNeedsItsPieces() {
        Map<String, Object> values = spaced();
        values.put(KEY + "model", "gpt2");
        values.put(KEY + "pre", "gpt-2");
        values.put(KEY + "merges", new String[] {"a b", "a c"});
        var missing = assertThrows(UzuException.ModelCorrupt.class, () -> Tokenizer.of(new MapMetadata(values)));
        assertEquals("c", missing.details().get("token"));
        values.put(KEY + "merges", new String[] {"ab"});
        var pair = assertThrows(UzuException.ModelCorrupt.class, () -> Tokenizer.of(new MapMetadata(values)));
        assertEquals(KEY + "merges", pair.details().get("field"));
        values.put(KEY + "merges", new String[] {"a b"});
        Tokenizer tokenizer = Tokenizer.of(new MapMetadata(values));
        assertArrayEquals(new int[] {6, 4}, tokenizer.encode("aba", false));
        assertFalse(tokenizer.addsBos());
    }

    @Test
    void unknownPreTokenizersAreUnsupported() {
        Map<String, Object> values = spaced();
        values.put(KEY + "model", "gpt2");
        values.put(KEY + "pre", "tomorrow");
        values.put(KEY + "merges", new String[0]);
        var e = assertThrows(UzuException.ModelUnsupported.class, () -> Tokenizer.of(new MapMetadata(values)));
        assertEquals("tomorrow", e.details().get("value"));
    }
}
