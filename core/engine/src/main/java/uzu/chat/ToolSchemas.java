package uzu.chat;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import uzu.ToolDeclaration;
import uzu.UzuException;

/** The schemas of tools' parameters. */
public final class ToolSchemas {
    private ToolSchemas() {}

    /** @throws UzuException.InvalidArgument when the parameters are no JSON schema of an object */
    public static void check(ToolDeclaration tool) {
        parameters(tool);
    }

    static JsonNode parameters(ToolDeclaration tool) {
        Map<String, String> details = Map.of("field", "parameters", "tool", tool.name());
        JsonNode schema = JsonText.parse(tool.parameters(), "the parameters of tool " + tool.name(), details);
        JsonNode type = schema.get("type");
        if (!schema.isObject()
                || (type != null && !type.isNull() && !type.stringValue("").equals("object"))) {
            throw new UzuException.InvalidArgument(
                    "the parameters of tool " + tool.name() + " must be a JSON schema of type object", details);
        }
        return schema;
    }
}
