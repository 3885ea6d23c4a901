package uzu.engine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import uzu.ChatMessage;
import uzu.ReasoningEffort;
import uzu.ToolDeclaration;
import uzu.ToolSupport;
import uzu.UzuException;
import uzu.chat.ChatCapabilities;
import uzu.chat.ChatTemplate;
import uzu.chat.parse.GenericTools;
import uzu.chat.parse.MessageFormat;
import uzu.chat.parse.Reasoning;
import uzu.tokenizer.Tokenizer;

/** Conversations and raw texts as a model's token ids. Immutable. */
final class Prompts {
    private final Tokenizer tokenizer;
    private final @Nullable ChatTemplate template;

    /** Found out when it is first asked for. */
    private volatile @Nullable MessageFormat format;

    /** @param template the model's own, or null */
    Prompts(Tokenizer tokenizer, @Nullable String template) {
        this.tokenizer = tokenizer;
        this.template = template == null
                ? null
                : ChatTemplate.of(template, spelling(tokenizer.bos()), spelling(tokenizer.eos()));
    }

    private Prompts(Prompts others, MessageFormat format) {
        this.tokenizer = others.tokenizer;
        this.template = others.template;
        this.format = format;
    }

    /**
     * For a model that writes its replies as this format has it; null: as the template says.
     *
     * @throws UzuException.InvalidArgument for a format that isn't known
     */
    Prompts inFormat(@Nullable String name) {
        return name == null ? this : new Prompts(this, MessageFormat.named(name, template(), tokenizer));
    }

    private @Nullable String spelling(OptionalInt id) {
        return id.isEmpty() ? null : new String(tokenizer.bytes(id.getAsInt()), StandardCharsets.UTF_8);
    }

    boolean hasTemplate() {
        return template != null;
    }

    /** What the template can do; nothing without one. */
    ChatCapabilities capabilities() {
        return template == null ? new ChatCapabilities(false, false, false) : template.capabilities();
    }

    ToolSupport toolSupport() {
        if (template == null) {
            return ToolSupport.NONE;
        }
        return format().isGeneric() ? ToolSupport.GENERIC : ToolSupport.TEMPLATE;
    }

    /** A raw text, after BOS where the model was trained with it. */
    int[] ofText(String text) {
        int[] ids = tokenizer.encode(text, true);
        OptionalInt bos = tokenizer.bos();
        if (!tokenizer.addsBos() || bos.isEmpty() || (ids.length > 0 && ids[0] == bos.getAsInt())) {
            return ids;
        }
        int[] withBos = new int[ids.length + 1];
        withBos[0] = bos.getAsInt();
        System.arraycopy(ids, 0, withBos, 1, ids.length);
        return withBos;
    }

    /**
     * A conversation up to where the model answers. The template writes BOS itself where the model wants it.
     *
     * @param tools what the model is told of
     */
    Prompt ofMessages(List<ChatMessage> messages, List<ToolDeclaration> tools) {
        ChatTemplate own = template();
        String text = format().isGeneric()
                ? own.render(GenericTools.asText(messages, tools, capabilities().system()), List.of())
                : own.render(messages, tools);
        if (ChatTemplate.effort(messages) == ReasoningEffort.DISABLED) {
            text += withoutReasoning(own, text);
        }
        return new Prompt(text, tokenizer.encode(text, true));
    }

    private ChatTemplate template() {
        if (template == null) {
            throw new UzuException.InvalidArgument(
                    "the model has no chat template; complete() continues a raw text",
                    Map.of("field", "chat_template"));
        }
        return template;
    }

    /** How the model writes its replies. */
    MessageFormat format() {
        MessageFormat known = format;
        if (known == null) {
            known = MessageFormat.of(template(), tokenizer);
            format = known;
        }
        return known;
    }

    /** A rendered conversation and its tokens. */
    record Prompt(String text, int[] tokens) {}

    /** What the prompt goes on with so that a model that always thinks has thought already. */
    private String withoutReasoning(ChatTemplate own, String text) {
        Reasoning reasoning = format().reasoning();
        if (reasoning == null) {
            return "";
        }
        return switch (format().opening(text)) {
            case OPEN -> reasoning.forced();
            case FREE -> own.switchesReasoning() ? "" : reasoning.open() + reasoning.forced();
            case CLOSED -> "";
        };
    }
}
