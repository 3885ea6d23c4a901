package uzu.app.speculation;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import uzu.ChatMessage;
import uzu.UzuException;
import uzu.app.Models;
import uzu.chat.ChatTemplate;
import uzu.format.Checkpoint;
import uzu.format.Gguf;
import uzu.tokenizer.Tokenizer;

/** Conversations as the text and the ids that the engine makes of them, for a peer that is to read the same. */
final class PromptIds {
    private final Tokenizer tokenizer;
    private final ChatTemplate template;

    PromptIds(Path file) {
        try (Checkpoint checkpoint = Models.open(file.toString())) {
            if (!(checkpoint instanceof Gguf gguf)) {
                throw new UzuException.InvalidArgument(
                        file + " must be a GGUF file for this comparison", Map.of("path", file.toString()));
            }
            tokenizer = Tokenizer.of(gguf.metadata());
            template = ChatTemplate.of(
                    gguf.metadata().string("tokenizer.chat_template"),
                    spelling(tokenizer.bos()),
                    spelling(tokenizer.eos()));
        }
    }

    private @Nullable String spelling(OptionalInt id) {
        return id.isEmpty() ? null : new String(tokenizer.bytes(id.getAsInt()), StandardCharsets.UTF_8);
    }

    String text(List<ChatMessage> messages) {
        List<Map<String, Object>> rendered = new ArrayList<>();
        for (ChatMessage message : messages) {
            rendered.add(
                    Map.of("role", message.role().name(), "content", Objects.requireNonNullElse(message.text(), "")));
        }
        return template.render(rendered, List.of(), true, Map.of());
    }

    int[] ids(String text) {
        return tokenizer.encode(text, true);
    }
}
