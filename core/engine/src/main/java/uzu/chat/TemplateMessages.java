package uzu.chat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ToolDeclaration;
import uzu.UzuException;

/**
 * A conversation as chat templates take it: a map for each message, with {@code role}, {@code content}, {@code
 * reasoning_content}, {@code tool_calls}; a message of its own, with {@code name} and {@code tool_call_id}, for each
 * result. A message that holds nothing but an effort is none.
 */
final class TemplateMessages {
    private final ChatTemplate template;
    private final List<Map<String, @Nullable Object>> rendered = new ArrayList<>();

    private TemplateMessages(ChatTemplate template) {
        this.template = template;
    }

    /** @throws UzuException.InvalidArgument for a block that the template can't take */
    static List<Map<String, @Nullable Object>> of(List<ChatMessage> messages, ChatTemplate template) {
        TemplateMessages all = new TemplateMessages(template);
        for (int i = 0; i < messages.size(); i++) {
            all.add(messages.get(i), i);
        }
        return all.rendered;
    }

    /** @throws UzuException.InvalidArgument when the parameters are no JSON object */
    static List<Map<String, @Nullable Object>> of(List<ToolDeclaration> tools) {
        List<Map<String, @Nullable Object>> functions = new ArrayList<>();
        for (ToolDeclaration tool : tools) {
            Map<String, @Nullable Object> function = new LinkedHashMap<>();
            function.put("name", tool.name());
            function.put("description", tool.description());
            function.put("parameters", TemplateValues.map(ToolSchemas.parameters(tool)));
            Map<String, @Nullable Object> declared = new LinkedHashMap<>();
            declared.put("type", "function");
            declared.put("function", function);
            functions.add(declared);
        }
        return functions;
    }

    /** Puts a word that the template looks for into the system message, which is made where there is none. */
    static void addSystemWord(List<Map<String, @Nullable Object>> messages, String word) {
        Map<String, @Nullable Object> first = messages.isEmpty() ? null : messages.getFirst();
        if (first != null && "system".equals(first.get("role"))) {
            first.put("content", (first.get("content") + "\n" + word).strip());
            return;
        }
        Map<String, @Nullable Object> system = new HashMap<>();
        system.put("role", "system");
        system.put("content", word);
        messages.addFirst(system);
    }

    private void add(ChatMessage message, int index) {
        StringBuilder content = new StringBuilder();
        List<Map<String, @Nullable Object>> calls = new ArrayList<>();
        Map<String, @Nullable Object> custom = new HashMap<>();
        boolean says = message.content().isEmpty();
        for (ChatContentBlock block : message.content()) {
            switch (block) {
                case ChatContentBlock.Text text -> content.append(text.text());
                case ChatContentBlock.ToolCallCandidate candidate -> content.append(candidate.text());
                case ChatContentBlock.ToolCall call -> calls.add(call(call, index));
                case ChatContentBlock.ToolCallResult result -> rendered.add(result(result, index));
                case ChatContentBlock.Custom field -> custom.put(field.name(), custom(field, message, index));
                case ChatContentBlock.Reasoning reasoning -> {}
                case ChatContentBlock.ReasoningEffort effort -> {}
                case ChatContentBlock.Tools tools -> {}
                case ChatContentBlock.Image image -> throw unreadable("image", message, index);
                case ChatContentBlock.Audio audio -> throw unreadable("audio", message, index);
                case ChatContentBlock.Video video -> throw unreadable("video", message, index);
                case ChatContentBlock.File file -> throw unreadable("file", message, index);
            }
            says |= !(block instanceof ChatContentBlock.ReasoningEffort
                    || block instanceof ChatContentBlock.Tools
                    || block instanceof ChatContentBlock.ToolCallResult);
        }
        if (!says) {
            return;
        }
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("role", message.role().name());
        fields.put("content", content.toString());
        String reasoning = message.reasoning();
        if (reasoning != null) {
            fields.put(template.reasoningField(), reasoning);
        }
        if (!calls.isEmpty()) {
            fields.put("tool_calls", calls);
            if (content.isEmpty() && template.callStyle().contentIsNull()) {
                fields.put("content", null);
            }
        }
        fields.putAll(custom);
        rendered.add(fields);
    }

    private Map<String, @Nullable Object> call(ChatContentBlock.ToolCall call, int index) {
        Map<String, String> details = Map.of("field", "arguments", "message", Integer.toString(index));
        JsonNode arguments = JsonText.parse(call.arguments(), "the arguments of a call of " + call.name(), details);
        Map<String, @Nullable Object> function = new HashMap<>();
        function.put("name", call.name());
        function.put(
                "arguments", template.callStyle().argumentsAsText() ? call.arguments() : TemplateValues.of(arguments));
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("id", call.identifier());
        fields.put("type", "function");
        fields.put("function", function);
        return fields;
    }

    private static Map<String, @Nullable Object> result(ChatContentBlock.ToolCallResult result, int index) {
        Map<String, String> details = Map.of("field", "value", "message", Integer.toString(index));
        JsonNode value = JsonText.parse(result.value(), "the result of " + result.name(), details);
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("role", "tool");
        fields.put("name", result.name());
        fields.put("tool_call_id", result.identifier());
        fields.put("content", value.isString() ? value.stringValue() : result.value());
        return fields;
    }

    private @Nullable Object custom(ChatContentBlock.Custom field, ChatMessage message, int index) {
        if (field.name().isBlank() || !template.source().contains(field.name())) {
            throw unreadable(field.name(), message, index);
        }
        Map<String, String> details = Map.of("field", field.name(), "message", Integer.toString(index));
        return TemplateValues.of(JsonText.parse(field.value(), "the field " + field.name(), details));
    }

    private static UzuException unreadable(String kind, ChatMessage message, int index) {
        return new UzuException.InvalidArgument(
                "message " + index + " (" + message.role().name() + ") has a block that this model can't take: " + kind,
                Map.of("field", "content", "message", Integer.toString(index), "block", kind));
    }
}
