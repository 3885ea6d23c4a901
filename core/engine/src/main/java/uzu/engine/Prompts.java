package uzu.engine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
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
import uzu.chat.parse.MessageFormat;
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
        return !capabilities().tools() ? ToolSupport.NONE : ToolSupport.TEMPLATE;
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
        String text = own.render(messages, tools, effort(own, messages));
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

    /** The last effort asked for, as the variables that templates know. */
    private static Map<String, Object> effort(ChatTemplate template, List<ChatMessage> messages) {
        ReasoningEffort asked = ReasoningEffort.DEFAULT;
        for (ChatMessage message : messages) {
            ReasoningEffort effort = message.reasoningEffort();
            asked = effort == null ? asked : effort;
        }
        if (asked == ReasoningEffort.DEFAULT) {
            return Map.of();
        }
        if (asked == ReasoningEffort.DISABLED) {
            return Map.of("enable_thinking", false);
        }
        String level = asked.name().toLowerCase(Locale.ROOT);
        if (!template.capabilities().thinking()) {
            throw new UzuException.InvalidArgument(
                    "the model has no reasoning mode, so reasoning effort " + level + " can't be honoured",
                    Map.of("field", "reasoningEffort", "value", level));
        }
        return Map.of("enable_thinking", true, "reasoning_effort", level);
    }
}
