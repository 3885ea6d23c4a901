package uzu.bridge;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import uzu.ToolChoice;
import uzu.ToolDeclaration;

/** Tools that a reply may call, and declarations of them: {@code {"name", "description", "parameters"}}, the parameters a schema. */
final class ToolJson {
    private ToolJson() {}

    static void write(ObjectNode json, List<ToolDeclaration> tools) {
        ArrayNode array = json.putArray("tools");
        for (ToolDeclaration tool : tools) {
            array.addObject()
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .set("parameters", Json.parse(tool.parameters()));
        }
    }

    static List<ToolDeclaration> read(JsonNode array) {
        if (!array.isArray()) {
            throw Fields.wrong("tools", "an array of declarations", array);
        }
        List<ToolDeclaration> tools = new ArrayList<>();
        array.forEach(tool -> tools.add(declaration(tool)));
        return tools;
    }

    static ToolDeclaration declaration(JsonNode node) {
        Fields fields = new Fields("tool", node, "name", "description", "parameters");
        JsonNode description = fields.get("description");
        return new ToolDeclaration(
                fields.needText("name"),
                description == null ? "" : fields.needText("description"),
                fields.need("parameters").toString());
    }

    static ToolChoice choice(JsonNode node) {
        if (node.isObject()) {
            return new ToolChoice.Named(new Fields("tool_choice", node, "name").needText("name"));
        }
        return switch (node.isString() ? node.stringValue() : "") {
            case "auto" -> new ToolChoice.Auto();
            case "none" -> new ToolChoice.None();
            case "required" -> new ToolChoice.Required();
            default ->
                throw Fields.wrong("tool_choice", "\"auto\", \"none\", \"required\" or {\"name\": string}", node);
        };
    }
}
