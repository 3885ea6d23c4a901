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
 * @param thinking whether it can tell the model to think more or less
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
        return new ChatCapabilities(
                shows(template, List.of(message("system", MARK), user), List.of()),
                tools,
                template.reasoningStyle().isKnown());
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
