package uzu.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ChatRole;
import uzu.ReasoningEffort;
import uzu.ToolDeclaration;
import uzu.UzuException;

/** Messages as JSON: {@code {role, content: [{type, …}]}}, with the types and fields that the C ABI has too. */
final class MessageNodes {
    private final String whenWrong;
    private final Map<String, String> details;

    private MessageNodes(String whenWrong, Map<String, String> details) {
        this.whenWrong = whenWrong;
        this.details = details;
    }

    static ArrayNode write(List<ChatMessage> messages) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (ChatMessage message : messages) {
            ArrayNode content =
                    array.addObject().put("role", message.role().name()).putArray("content");
            message.content().forEach(block -> write(block, content.addObject()));
        }
        return array;
    }

    private static void write(ChatContentBlock block, ObjectNode into) {
        switch (block) {
            case ChatContentBlock.Text text -> into.put("type", "text").put("text", text.text());
            case ChatContentBlock.Reasoning reasoning ->
                into.put("type", "reasoning").put("text", reasoning.text());
            case ChatContentBlock.ReasoningEffort asked ->
                into.put("type", "reasoning_effort")
                        .put("effort", asked.effort().name().toLowerCase(Locale.ROOT));
            case ChatContentBlock.ToolCall call ->
                into.put("type", "tool_call")
                        .put("identifier", call.identifier())
                        .put("name", call.name())
                        .put("arguments", call.arguments());
            case ChatContentBlock.ToolCallCandidate candidate ->
                into.put("type", "tool_call_candidate").put("text", candidate.text());
            case ChatContentBlock.ToolCallResult result ->
                into.put("type", "tool_call_result")
                        .put("identifier", result.identifier())
                        .put("name", result.name())
                        .put("value", result.value());
            case ChatContentBlock.Tools declared -> {
                ArrayNode tools = into.put("type", "tools").putArray("tools");
                for (ToolDeclaration tool : declared.tools()) {
                    tools.addObject()
                            .put("name", tool.name())
                            .put("description", tool.description())
                            .put("parameters", tool.parameters());
                }
            }
            case ChatContentBlock.Custom custom ->
                into.put("type", "custom").put("name", custom.name()).put("value", custom.value());
            case ChatContentBlock.Image image -> into.put("type", "image").put("source", image.source());
            case ChatContentBlock.Audio audio -> into.put("type", "audio").put("source", audio.source());
            case ChatContentBlock.Video video -> into.put("type", "video").put("source", video.source());
            case ChatContentBlock.File file -> into.put("type", "file").put("source", file.source());
        }
    }

    /** @param whenWrong what to say of JSON that isn't messages */
    static List<ChatMessage> read(JsonNode array, String whenWrong, Map<String, String> details) {
        MessageNodes nodes = new MessageNodes(whenWrong, details);
        List<ChatMessage> messages = new ArrayList<>();
        for (JsonNode message : array) {
            List<ChatContentBlock> blocks = new ArrayList<>();
            for (JsonNode block : message.path("content")) {
                blocks.add(nodes.block(block));
            }
            messages.add(new ChatMessage(new ChatRole(nodes.text(message, "role")), blocks));
        }
        return List.copyOf(messages);
    }

    private ChatContentBlock block(JsonNode node) {
        String type = text(node, "type");
        return switch (type) {
            case "text" -> new ChatContentBlock.Text(text(node, "text"));
            case "reasoning" -> new ChatContentBlock.Reasoning(text(node, "text"));
            case "reasoning_effort" -> new ChatContentBlock.ReasoningEffort(effort(text(node, "effort")));
            case "tool_call" ->
                new ChatContentBlock.ToolCall(text(node, "identifier"), text(node, "name"), text(node, "arguments"));
            case "tool_call_candidate" -> new ChatContentBlock.ToolCallCandidate(text(node, "text"));
            case "tool_call_result" ->
                new ChatContentBlock.ToolCallResult(text(node, "identifier"), text(node, "name"), text(node, "value"));
            case "tools" -> {
                List<ToolDeclaration> tools = new ArrayList<>();
                for (JsonNode tool : node.path("tools")) {
                    tools.add(new ToolDeclaration(
                            text(tool, "name"), text(tool, "description"), text(tool, "parameters")));
                }
                yield new ChatContentBlock.Tools(tools);
            }
            case "custom" -> new ChatContentBlock.Custom(text(node, "name"), text(node, "value"));
            case "image" -> new ChatContentBlock.Image(text(node, "source"));
            case "audio" -> new ChatContentBlock.Audio(text(node, "source"));
            case "video" -> new ChatContentBlock.Video(text(node, "source"));
            case "file" -> new ChatContentBlock.File(text(node, "source"));
            default -> throw wrong("there is no block " + type);
        };
    }

    private ReasoningEffort effort(String name) {
        for (ReasoningEffort effort : ReasoningEffort.values()) {
            if (effort.name().toLowerCase(Locale.ROOT).equals(name)) {
                return effort;
            }
        }
        throw wrong("there is no effort " + name);
    }

    private String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isString()) {
            throw wrong("a " + field + " is missing");
        }
        return value.stringValue();
    }

    private UzuException wrong(String reason) {
        return new UzuException.InvalidArgument(whenWrong + ": " + reason, details);
    }
}
