package uzu.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import uzu.UzuException;

/**
 * What a chat template can do.
 *
 * @param system whether it writes a system message's text
 * @param tools whether it describes the tools it is given
 * @param thinking whether {@code enable_thinking} changes what it writes
 */
public record ChatCapabilities(boolean system, boolean tools, boolean thinking) {
    private static final String MARK = "uzu_probe_7f3a";

    static ChatCapabilities of(ChatTemplate template) {
        Map<String, Object> user = message("user", "Hello");
        Map<String, Object> function = Map.of(
                "name",
                MARK,
                "description",
                "Adds two numbers.",
                "parameters",
                Map.of("type", "object", "properties", Map.of(), "required", List.of()));
        Map<String, Object> tool = Map.of("type", "function", "function", function);
        List<List<Map<String, Object>>> conversations =
                List.of(List.of(user), List.of(message("system", "Be brief."), user));
        boolean tools = conversations.stream().anyMatch(messages -> shows(template, messages, List.of(tool)));
        boolean thinking = conversations.stream().anyMatch(messages -> thinks(template, messages));
        return new ChatCapabilities(
                shows(template, List.of(message("system", MARK), user), List.of()), tools, thinking);
    }

    private static Map<String, Object> message(String role, String content) {
        return Map.of("role", role, "content", content);
    }

    private static boolean shows(
            ChatTemplate template, List<Map<String, Object>> messages, List<Map<String, Object>> tools) {
        return render(template, messages, tools, Map.of())
                .filter(text -> text.contains(MARK))
                .isPresent();
    }

    private static boolean thinks(ChatTemplate template, List<Map<String, Object>> messages) {
        Optional<String> on = render(template, messages, List.of(), Map.of("enable_thinking", true));
        Optional<String> off = render(template, messages, List.of(), Map.of("enable_thinking", false));
        return on.isPresent() && off.isPresent() && !on.equals(off);
    }

    // A template that refuses a conversation says by that what it can't do.
    private static Optional<String> render(
            ChatTemplate template,
            List<Map<String, Object>> messages,
            List<Map<String, Object>> tools,
            Map<String, Object> extra) {
        try {
            return Optional.of(template.render(new ArrayList<>(messages), tools, true, extra));
        } catch (UzuException.TemplateFailed refused) {
            return Optional.empty();
        }
    }
}
