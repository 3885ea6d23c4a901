package uzu.chat.parse;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import uzu.UzuException;
import uzu.chat.ChatTemplate;
import uzu.chat.PublishedTemplates;
import uzu.generate.ToyTokenizer;

/** Thinking and answer are told apart with every published template, however the reply is cut. */
class PublishedReasoningTest {
    @Test
    void thinkingAndAnswerAreApart() throws IOException {
        int thinkers = 0;
        for (Path file : PublishedTemplates.files()) {
            ChatTemplate template = ChatTemplate.of(Files.readString(file), "<s>", "</s>");
            MessageFormat format = MessageFormat.of(template, new ToyTokenizer());
            Reasoning reasoning = format.reasoning();
            if (reasoning == null) {
                continue;
            }
            String prompt;
            try {
                prompt = template.render(List.of(Map.of("role", "user", "content", "Hi")), List.of(), true, Map.of());
            } catch (UzuException.TemplateFailed refused) {
                continue;
            }
            thinkers++;
            if (format.opening(prompt) == Opening.CLOSED) {
                Script.reply(format, "An answer, é😀.").after(prompt).gives(Script.text("An answer, é😀."));
                continue;
            }
            String open = format.opening(prompt) == Opening.OPEN ? "" : reasoning.open();
            String header = format instanceof HarmonyFormat ? "<|channel|>final<|message|>" : "";
            Script.reply(
                            format,
                            open + "\nLet me {see} <b>é😀</b>.\n" + reasoning.forced() + header + "An answer, é😀.")
                    .after(prompt)
                    .gives(Script.reasoning("Let me {see} <b>é😀</b>."), Script.text("An answer, é😀."));
        }
        assertTrue(thinkers >= 35, "only " + thinkers);
    }
}
