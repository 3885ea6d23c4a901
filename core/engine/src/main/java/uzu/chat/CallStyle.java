package uzu.chat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * How a template wants the calls of earlier messages.
 *
 * @param argumentsAsText whether arguments come as JSON text, not as a map
 * @param contentIsNull whether a message with calls and no text has no content, not an empty one
 */
record CallStyle(boolean argumentsAsText, boolean contentIsNull) {
    private static final String NAME = "uzu_probe_7f3a";
    private static final String KEY = "uzu_key_7f3a";
    private static final String VALUE = "uzu_value_7f3a";

    /** Found out by rendering a call in each style; the usual one where no style shows the call. */
    static CallStyle of(ChatTemplate template) {
        for (boolean asText : new boolean[] {false, true}) {
            for (boolean isNull : new boolean[] {false, true}) {
                CallStyle style = new CallStyle(asText, isNull);
                if (style.isReadBy(template)) {
                    return style;
                }
            }
        }
        return new CallStyle(false, false);
    }

    private boolean isReadBy(ChatTemplate template) {
        Map<String, @Nullable Object> call = new HashMap<>();
        call.put("role", "assistant");
        call.put("content", contentIsNull ? null : "");
        Object arguments = argumentsAsText ? "{\"" + KEY + "\": \"" + VALUE + "\"}" : Map.of(KEY, VALUE);
        Map<String, Object> function = Map.of("name", NAME, "arguments", arguments);
        call.put("tool_calls", List.of(Map.of("id", "call12345", "type", "function", "function", function)));
        List<Map<String, @Nullable Object>> messages = new ArrayList<>();
        messages.add(Map.of("role", "user", "content", "Hello"));
        messages.add(call);
        messages.add(Map.of("role", "tool", "tool_call_id", "call12345", "name", NAME, "content", "1"));
        Map<String, Object> parameters = Map.of("type", "object", "properties", Map.of(KEY, Map.of("type", "string")));
        Map<String, Object> declared = Map.of("name", NAME, "description", "", "parameters", parameters);
        try {
            // Without the declaration: else the name would show wherever the call does not.
            String text = template.render(messages, List.of(), true, Map.of());
            if (!text.contains(NAME)) {
                text = template.render(
                        messages, List.of(Map.of("type", "function", "function", declared)), true, Map.of());
            }
            return shows(text);
        } catch (UzuException.TemplateFailed refused) {
            return false;
        }
    }

    /** Whether the arguments are there, neither as Python spells a map nor as JSON text within JSON text. */
    private static boolean shows(String text) {
        return text.contains(VALUE) && !text.contains("'" + KEY + "'") && !text.contains("\\\"" + KEY);
    }
}
