package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uzu.ChatReplyConfig;
import uzu.Completion;
import uzu.Engine;
import uzu.Model;
import uzu.SamplingMethod.Greedy;

/** The models that are fetched by name, where they were. */
@Tag("full")
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CatalogModelsTest {
    private final Engine engine = Engine.create();

    @AfterAll
    void close() {
        engine.close();
    }

    /** Gemma 3 270M does not know it: llama.cpp continues with the same words. */
    @ParameterizedTest
    @CsvSource({
        "huggingface:smollm2:135m:gguf:q4_1:4, Paris",
        "alibaba:qwen2.5-coder:0.5b:gguf:q4_k_m:4, Paris",
        "alibaba:qwen2.5-coder:1.5b:gguf:q4_k_m:4, Paris",
        "google:gemma-3:270m:gguf:q4_k_m:4, the capital of the country of France"
    })
    void continuesAboutTheCapitalOfFrance(String identifier, String expected) {
        Model model = engine.model(identifier);
        assumeTrue(engine.modelPath(model) != null, identifier + " isn't downloaded");
        Completion completion = engine.complete(
                model,
                "The capital of France is",
                ChatReplyConfig.create().withTokenLimit(8).withSamplingMethod(new Greedy()));
        assertTrue(completion.text().contains(expected), completion.text());
    }
}
