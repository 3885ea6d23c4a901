package uzu.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ReasoningEffort;
import uzu.ToolSupport;
import uzu.UzuException;
import uzu.chat.ChatCapabilities;
import uzu.chat.ChatTemplate;
import uzu.tokenizer.Tokenizer;

/** Conversations and raw texts as a model's token ids. Immutable. */
final class Prompts {
    private final Tokenizer tokenizer;
    private final @Nullable ChatTemplate template;

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

    /** A conversation up to where the model answers. The template writes BOS itself where the model wants it. */
    int[] ofMessages(List<ChatMessage> messages) {
        if (template == null) {
            throw new UzuException.InvalidArgument(
                    "the model has no chat template; complete() continues a raw text",
                    Map.of("field", "chat_template"));
        }
        List<Map<String, Object>> rendered = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            rendered.add(fields(messages.get(i), i));
        }
        String text = template.render(rendered, List.of(), true, effort(template, messages));
        return tokenizer.encode(text, true);
    }

    private static Map<String, Object> fields(ChatMessage message, int index) {
        for (ChatContentBlock block : message.content()) {
            refuseUnreadable(block, message, index);
        }
        Map<String, Object> fields = new HashMap<>();
        fields.put("role", message.role().name());
        String text = message.text();
        fields.put("content", text == null ? "" : text);
        String reasoning = message.reasoning();
        if (reasoning != null) {
            fields.put("reasoning_content", reasoning);
        }
        return fields;
    }

    private static void refuseUnreadable(ChatContentBlock block, ChatMessage message, int index) {
        String kind = switch (block) {
            case ChatContentBlock.Text text -> "";
            case ChatContentBlock.Reasoning reasoning -> "";
            case ChatContentBlock.ReasoningEffort effort -> "";
            case ChatContentBlock.ToolCall call -> "tool_call";
            case ChatContentBlock.ToolCallCandidate candidate -> "tool_call_candidate";
            case ChatContentBlock.ToolCallResult result -> "tool_call_result";
            case ChatContentBlock.Tools tools -> "tools";
            case ChatContentBlock.Custom custom -> custom.name();
            case ChatContentBlock.Image image -> "image";
            case ChatContentBlock.Audio audio -> "audio";
            case ChatContentBlock.Video video -> "video";
            case ChatContentBlock.File file -> "file";
        };
        if (!kind.isEmpty()) {
            throw new UzuException.InvalidArgument(
                    "message " + index + " (" + message.role().name() + ") has a block that this model can't take: "
                            + kind,
                    Map.of("field", "content", "message", Integer.toString(index), "block", kind));
        }
    }

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
