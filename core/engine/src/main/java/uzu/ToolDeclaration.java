package uzu;

import java.util.Map;

/**
 * What the model is told of a tool.
 *
 * @param description for the model; may be empty
 * @param parameters JSON schema of an object, as JSON text
 */
public record ToolDeclaration(String name, String description, String parameters) {
    public ToolDeclaration {
        if (name.isBlank()) {
            throw new UzuException.InvalidArgument("a tool has no name", Map.of("field", "name"));
        }
    }
}
