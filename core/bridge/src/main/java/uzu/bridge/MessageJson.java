package uzu.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ChatRole;
import uzu.ReasoningEffort;
import uzu.UzuException;

/** Messages: {role, content}; content is a list of blocks, or a string for one text block. */
final class MessageJson {
    private MessageJson() {}

    static List<ChatMessage> read(String json) {
        JsonNode array = Json.parse(json);
        if (!array.isArray()) {
            throw Fields.wrong("messages", "an array of messages", array);
        }
        List<ChatMessage> messages = new ArrayList<>();
        for (JsonNode message : array) {
            messages.add(message(message));
        }
        return messages;
    }

    static ArrayNode write(List<ChatMessage> messages) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        messages.forEach(message -> array.add(write(message)));
        return array;
    }

    static ObjectNode write(ChatMessage message) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("role", message.role().name());
        ArrayNode content = json.putArray("content");
        for (ChatContentBlock block : message.content()) {
            switch (block) {
                case ChatContentBlock.Text text -> add(content, "text", "text", text.text());
                case ChatContentBlock.Reasoning reasoning -> add(content, "reasoning", "text", reasoning.text());
                case ChatContentBlock.ReasoningEffort effort ->
                    add(content, "reasoning_effort", "effort", Fields.name(effort.effort()));
                case ChatContentBlock.ToolCall call ->
                    content.addObject()
                            .put("type", "tool_call")
                            .put("identifier", call.identifier())
                            .put("name", call.name())
                            .put("arguments", call.arguments());
                case ChatContentBlock.ToolCallCandidate candidate ->
                    add(content, "tool_call_candidate", "text", candidate.text());
                case ChatContentBlock.ToolCallResult result ->
                    content.addObject()
                            .put("type", "tool_call_result")
                            .put("identifier", result.identifier())
                            .put("name", result.name())
                            .put("value", result.value());
                case ChatContentBlock.Tools tools ->
                    ToolJson.write(content.addObject().put("type", "tools"), tools.tools());
                case ChatContentBlock.Custom custom ->
                    content.addObject()
                            .put("type", "custom")
                            .put("name", custom.name())
                            .put("value", custom.value());
                case ChatContentBlock.Image image -> add(content, "image", "source", image.source());
                case ChatContentBlock.Audio audio -> add(content, "audio", "source", audio.source());
                case ChatContentBlock.Video video -> add(content, "video", "source", video.source());
                case ChatContentBlock.File file -> add(content, "file", "source", file.source());
            }
        }
        return json;
    }

    private static void add(ArrayNode content, String type, String field, String value) {
        content.addObject().put("type", type).put(field, value);
    }

    private static ChatMessage message(JsonNode node) {
        Fields fields = new Fields("message", node, "role", "content");
        ChatRole role = new ChatRole(fields.needText("role"));
        JsonNode content = fields.need("content");
        if (content.isString()) {
            return ChatMessage.forRole(role).withText(content.stringValue());
        }
        if (!content.isArray()) {
            throw Fields.wrong("message.content", "a string or an array of blocks", content);
        }
        List<ChatContentBlock> blocks = new ArrayList<>();
        for (JsonNode block : content) {
            blocks.add(block(block));
        }
        return new ChatMessage(role, blocks);
    }

    private static ChatContentBlock block(JsonNode node) {
        Fields fields = new Fields(
                "block", node, "type", "text", "effort", "source", "identifier", "name", "arguments", "value", "tools");
        String type = fields.needText("type");
        return switch (type) {
            case "text" -> new ChatContentBlock.Text(fields.needText("text"));
            case "reasoning" -> new ChatContentBlock.Reasoning(fields.needText("text"));
            case "reasoning_effort" ->
                new ChatContentBlock.ReasoningEffort(
                        Fields.choice("block.effort", fields.needText("effort"), ReasoningEffort.class));
            case "tool_call" ->
                new ChatContentBlock.ToolCall(
                        fields.needText("identifier"), fields.needText("name"), fields.needText("arguments"));
            case "tool_call_candidate" -> new ChatContentBlock.ToolCallCandidate(fields.needText("text"));
            case "tool_call_result" ->
                new ChatContentBlock.ToolCallResult(
                        fields.needText("identifier"), fields.needText("name"), fields.needText("value"));
            case "tools" -> new ChatContentBlock.Tools(ToolJson.read(fields.need("tools")));
            case "custom" -> new ChatContentBlock.Custom(fields.needText("name"), fields.needText("value"));
            case "image" -> new ChatContentBlock.Image(fields.needText("source"));
            case "audio" -> new ChatContentBlock.Audio(fields.needText("source"));
            case "video" -> new ChatContentBlock.Video(fields.needText("source"));
            case "file" -> new ChatContentBlock.File(fields.needText("source"));
            default ->
                throw new UzuException.InvalidArgument(
                        "A message can't hold a block of type \"" + type + "\"",
                        Map.of("field", "block.type", "value", type));
        };
    }
}
