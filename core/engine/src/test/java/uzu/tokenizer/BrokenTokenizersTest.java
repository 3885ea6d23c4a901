package uzu.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uzu.UzuException;

/** Files that are refused, and how: unknown parts as unsupported, contradictions as corrupt. */
class BrokenTokenizersTest {
    private static final String TINY = """
            {"added_tokens": [
               {"id": 7, "content": "<end>", "special": true}, {"id": 8, "content": "<b>", "normalized": false}],
             "normalizer": {"type": "Sequence", "normalizers": [
               {"type": "Prepend", "prepend": "▁"},
               {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
             "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "x+"}, "behavior": "Isolated", "invert": false},
             "post_processor": null,
             "decoder": {"type": "Sequence", "decoders": [
               {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
               {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
             "model": {"type": "BPE", "dropout": null, "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true,
               "merges": [["▁", "a"], "a b", ["▁a", "b"]],
               "vocab": {"<unk>": 0, "▁": 1, "a": 2, "b": 3, "▁a": 4, "ab": 5, "▁ab": 6}}}
            """;

    @TempDir
    private Path folder;

    private Tokenizer read(String json) throws IOException {
        Path file = folder.resolve("tokenizer.json");
        Files.writeString(file, json);
        return Tokenizer.of(file, null);
    }

    @Test
    void theUnbrokenOneWorks() throws IOException {
        Tokenizer tokenizer = read(TINY);
        assertEquals(9, tokenizer.size());
        assertArrayEquals(new int[] {6, 5, 8, 4, 0, 7}, tokenizer.encode("abab<b>aéé<end>", true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "\"type\": \"BPE\"; \"type\": \"WordPiece\"; model.type",
                "\"type\": \"BPE\"; \"type\": \"Unigram\"; model.type",
                "\"dropout\": null; \"dropout\": 0.1; model.dropout",
                "\"dropout\": null; \"end_of_word_suffix\": \"</w>\"; model.end_of_word_suffix",
                "\"type\": \"Prepend\"; \"type\": \"Precompiled\"; normalizer",
                "\"type\": \"Split\"; \"type\": \"UnicodeScripts\"; pre_tokenizer",
                "\"Regex\": \"x+\"; \"Regex\": \"(x|y)+\"; pre_tokenizer",
                "\"Isolated\"; \"Sideways\"; behavior",
                "\"ByteFallback\"; \"WordPiece\"; decoder",
                "\"ByteFallback\"; \"ByteLevel\"; decoder",
                "\"start\": 1; \"start\": 2; decoder",
                "\"post_processor\": null; \"post_processor\": {\"type\": \"BertProcessing\"}; post_processor"
            })
    void unknownPartsAreUnsupported(String part, String other, String field) {
        var e = assertThrows(UzuException.ModelUnsupported.class, () -> read(TINY.replace(part, other)));
        assertEquals(field, e.details().get("field"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "\"▁ab\": 6; \"▁ab\": 5; vocab",
                "\"▁ab\": 6; \"▁ab\": -6; vocab",
                "\"▁ab\": 6; \"▁ab\": 2000000000; vocab",
                "\"▁ab\": 6; \"▁ab\": \"six\"; vocab",
                "\"▁ab\": 6; \"▁b\": 6; merges",
                "\"a b\"; \"ab\"; merges",
                "\"a b\"; [\"a\"]; merges",
                "\"id\": 8; \"id\": 2; vocab",
                "\"unk_token\": \"<unk>\"; \"unk_token\": \"<none>\"; model.unk_token",
                "\"<b>\"; \"<end>\"; tokens"
            })
    void contradictionsAreCorrupt(String part, String other, String field) {
        var e = assertThrows(UzuException.ModelCorrupt.class, () -> read(TINY.replace(part, other)));
        assertEquals(field, e.details().get("field"));
    }

    @Test
    void mutatedFilesGiveTypedErrorsOnly() throws IOException {
        byte[] bytes = TINY.getBytes(StandardCharsets.UTF_8);
        String interesting = "{}[],:\"0-9eE.\\untf\u0000";
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        Path file = folder.resolve("tokenizer.json");
        for (int i = 0; i < 1000; i++) {
            byte[] mutant = bytes.clone();
            for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                int value = random.nextBoolean() ? random.nextInt(256) : interesting.charAt(random.nextInt(19));
                mutant[random.nextInt(mutant.length)] = (byte) value;
            }
            Files.write(file, mutant);
            try {
                Tokenizer tokenizer = Tokenizer.of(file, null);
                tokenizer.encode("ab <b> xx<end>é\n", true);
                for (int id = 0; id < tokenizer.size(); id++) {
                    tokenizer.stream().next(id);
                }
            } catch (UzuException expected) {
                // What a broken file is to give.
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + new String(mutant, StandardCharsets.UTF_8), e);
            }
        }
    }
}
