package uzu.chat;

import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import uzu.ChatMessage;
import uzu.ReasoningEffort;
import uzu.ToolDeclaration;
import uzu.UzuException;
import uzu.chat.jinja.Limits;
import uzu.chat.jinja.Template;

/**
 * A model's own chat template: messages to the text the model was trained on, as HF transformers'
 * {@code apply_chat_template} renders it. Parsed once, immutable, usable from any thread.
 */
public final class ChatTemplate {
    private final String source;
    private final Template template;
    private final @Nullable String bosToken;
    private final @Nullable String eosToken;
    private final Clock clock;

    /** Found out when they are first asked for. */
    private volatile @Nullable CallStyle callStyle;

    private volatile @Nullable ReasoningStyle reasoningStyle;

    private volatile @Nullable ChatCapabilities capabilities;

    private ChatTemplate(
            String source, Template template, @Nullable String bosToken, @Nullable String eosToken, Clock clock) {
        this.source = source;
        this.template = template;
        this.bosToken = bosToken;
        this.eosToken = eosToken;
        this.clock = clock;
    }

    /**
     * @param source Jinja, from {@code tokenizer.chat_template} or {@code chat_template.jinja}
     * @param bosToken what the template finds as {@code bos_token}; null if the vocabulary has none
     * @param eosToken what the template finds as {@code eos_token}; null if the vocabulary has none
     * @throws UzuException.TemplateFailed if it is no template, with its line in the details
     */
    public static ChatTemplate of(String source, @Nullable String bosToken, @Nullable String eosToken) {
        Template template = Template.parse(source, Limits.DEFAULT);
        return new ChatTemplate(source, template, bosToken, eosToken, Clock.systemDefaultZone());
    }

    /** The same template with another time for {@code strftime_now}. */
    public ChatTemplate withClock(Clock other) {
        return new ChatTemplate(source, template, bosToken, eosToken, other);
    }

    /** The Jinja it was parsed from. */
    public String source() {
        return source;
    }

    /**
     * The text of a conversation, up to where the assistant's answer starts. Its last effort is honoured, {@link
     * ReasoningEffort#DISABLED} where {@link #switchesReasoning} says so.
     *
     * @param tools what the model is told of
     * @throws UzuException.TemplateFailed as {@link #render}
     * @throws UzuException.InvalidArgument for a block that the template can't take, for arguments, results, fields and
     *     schemas that are no JSON, and for an effort that the template doesn't know
     */
    public String render(List<ChatMessage> messages, List<ToolDeclaration> tools) {
        ReasoningEffort effort = effort(messages);
        List<Map<String, @Nullable Object>> rendered = TemplateMessages.of(messages, this);
        Map<String, Object> variables = Map.of();
        if (effort != ReasoningEffort.DEFAULT) {
            ReasoningStyle style = reasoningStyle();
            variables = style.efforts().getOrDefault(effort, Map.of());
            if (effort != ReasoningEffort.DISABLED && variables.isEmpty()) {
                throw unknown(effort, style);
            }
            if (effort == ReasoningEffort.DISABLED && style.offWord() != null) {
                TemplateMessages.addSystemWord(rendered, style.offWord());
            }
        }
        return render(rendered, TemplateMessages.of(tools), true, variables);
    }

    /** The last effort that the conversation asks for. */
    public static ReasoningEffort effort(List<ChatMessage> messages) {
        ReasoningEffort asked = ReasoningEffort.DEFAULT;
        for (ChatMessage message : messages) {
            ReasoningEffort effort = message.reasoningEffort();
            asked = effort == null ? asked : effort;
        }
        return asked;
    }

    /** Whether it has a way to tell the model not to think. */
    public boolean switchesReasoning() {
        return reasoningStyle().switched() || reasoningStyle().offWord() != null;
    }

    private static UzuException unknown(ReasoningEffort effort, ReasoningStyle style) {
        String level = effort.name().toLowerCase(Locale.ROOT);
        String known = Arrays.stream(ReasoningEffort.values())
                .filter(style.efforts()::containsKey)
                .map(one -> one.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return new UzuException.InvalidArgument(
                style.isKnown()
                        ? "the model knows no reasoning effort " + level + ", only " + known
                        : "the model has no reasoning mode, so reasoning effort " + level + " can't be honoured",
                Map.of("field", "reasoningEffort", "value", level));
    }

    /**
     * The text of a conversation.
     *
     * @param messages maps of strings, numbers, booleans, nulls, lists and maps, as JSON has them: {@code role},
     *     {@code content}, {@code tool_calls}, …
     * @param tools JSON schemas of functions; empty means none
     * @param addGenerationPrompt whether the text ends where the assistant's answer starts
     * @param extra further variables ({@code enable_thinking}, …), which win over all others
     * @throws UzuException.TemplateFailed if the template refuses the conversation, fails or exceeds a limit: the
     *     details have its {@code line}, the {@code reason} and, if so, the {@code limit}
     * @throws UzuException.InvalidArgument if a value is none of the types above
     */
    public String render(
            List<? extends Map<String, ? extends @Nullable Object>> messages,
            List<? extends Map<String, ? extends @Nullable Object>> tools,
            boolean addGenerationPrompt,
            Map<String, Object> extra) {
        var variables = new HashMap<String, @Nullable Object>();
        if (bosToken != null) {
            variables.put("bos_token", bosToken);
        }
        if (eosToken != null) {
            variables.put("eos_token", eosToken);
        }
        variables.put("messages", messages);
        variables.put("tools", tools.isEmpty() ? null : tools);
        variables.put("documents", null);
        variables.put("add_generation_prompt", addGenerationPrompt);
        variables.putAll(extra);
        return template.render(variables, clock);
    }

    /** What the template can do, found out by rendering small conversations. Costs a few renders. */
    public ChatCapabilities capabilities() {
        ChatCapabilities known = capabilities;
        if (known == null) {
            known = ChatCapabilities.of(this);
            capabilities = known;
        }
        return known;
    }

    ReasoningStyle reasoningStyle() {
        ReasoningStyle known = reasoningStyle;
        if (known == null) {
            known = ReasoningStyle.of(this);
            reasoningStyle = known;
        }
        return known;
    }

    /** How it wants the calls of earlier messages. */
    CallStyle callStyle() {
        CallStyle known = callStyle;
        if (known == null) {
            known = CallStyle.of(this);
            callStyle = known;
        }
        return known;
    }

    /** Where it looks for what the model thought. */
    String reasoningField() {
        for (String field : new String[] {"reasoning_content", "thinking", "reasoning"}) {
            if (source.contains("message." + field) || source.contains("['" + field + "']")) {
                return field;
            }
        }
        return "reasoning_content";
    }
}
