package uzu.app.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uzu.EngineConfig;
import uzu.UzuException;
import uzu.chat.ChatTemplate;
import uzu.format.Gguf;

class TurnTextsTest {
    private static final String CHATML = "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content']"
            + " + '<|im_end|>' + '\\n' }}{% endfor %}"
            + "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

    @Test
    void piecesStandBetweenWhatIsSaid() {
        TurnTexts texts = TurnTexts.of(ChatTemplate.of(CHATML, null, null), List.of("<|endoftext|>", "<|im_end|>"));
        assertEquals("<|im_start|>user\n", texts.openings().get(0));
        assertEquals(
                "<|im_start|>system\nYou are a concise assistant.<|im_end|>\n<|im_start|>user\n",
                texts.openings().getLast());
        assertEquals("<|im_end|>\n<|im_start|>assistant\n", texts.toAnswer());
        assertEquals("\n<|im_start|>user\n", texts.toUser());
    }

    @Test
    void aTemplateThatChangesWhatIsSaidIsRefused() {
        ChatTemplate upper =
                ChatTemplate.of("{% for m in messages %}{{ m['content'] | upper }}{% endfor %}", null, null);
        assertThrows(UzuException.ModelUnsupported.class, () -> TurnTexts.of(upper, List.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "huggingface--smollm2--135m--gguf--q4_1--4, <|im_end|>, <|im_start|>, assistant",
        "alibaba--qwen2.5-coder--1.5b--gguf--q4_k_m--4, <|im_end|>, <|im_start|>, assistant",
        "alibaba--qwen2.5-coder--0.5b--gguf--q4_k_m--4, <|im_end|>, <|im_start|>, assistant"
    })
    void shippedModelsTakeTurns(String folder, String end, String start, String assistant) throws Exception {
        Path models = EngineConfig.create().cachePath().resolve("models").resolve(folder);
        Assumptions.assumeTrue(Files.isDirectory(models), folder + " isn't downloaded");
        try (Stream<Path> files = Files.list(models)) {
            Path file = files.filter(each -> each.toString().endsWith(".gguf"))
                    .findFirst()
                    .orElseThrow();
            try (Gguf gguf = Gguf.open(file)) {
                String template = gguf.metadata().string("tokenizer.chat_template");
                TurnTexts texts = TurnTexts.of(ChatTemplate.of(template, "<bos>", null), List.of(end));
                assertEquals(end + "\n" + start + assistant + "\n", texts.toAnswer());
                assertEquals("\n" + start + "user\n", texts.toUser());
            }
        }
    }
}
