package uzu.chat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The conversations of {@code conversations.json}, by name, as variables of a render. */
final class Conversations {
    private Conversations() {}

    /** With their tools in place, and with what every render has. */
    static Map<String, ObjectNode> load() throws IOException {
        JsonNode all = Json.resource("conversations.json");
        Map<String, ObjectNode> conversations = new LinkedHashMap<>();
        all.properties().forEach(entry -> {
            if (entry.getValue() instanceof ObjectNode conversation) {
                conversation.put("bos_token", "<s>");
                conversation.put("eos_token", "</s>");
                if (!conversation.has("add_generation_prompt")) {
                    conversation.put("add_generation_prompt", true);
                }
                if (conversation.has("tools")) {
                    conversation.set("tools", all.get("$tools"));
                }
                conversations.put(entry.getKey(), conversation);
            }
        });
        return conversations;
    }
}
