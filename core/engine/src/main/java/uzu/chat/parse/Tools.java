package uzu.chat.parse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.ToolDeclaration;

/** The tools that a reply may call, by name. */
final class Tools {
    private final Map<String, JsonNode> parameters = new LinkedHashMap<>();

    Tools(List<ToolDeclaration> declarations) {
        for (ToolDeclaration declaration : declarations) {
            JsonNode schema = JsonText.parse(declaration.parameters());
            parameters.put(declaration.name(), schema == null ? emptySchema() : schema);
        }
    }

    private static JsonNode emptySchema() {
        JsonNode empty = JsonText.parse("{}");
        if (empty == null) {
            throw new IllegalStateException("{} is JSON");
        }
        return empty;
    }

    boolean isEmpty() {
        return parameters.isEmpty();
    }

    boolean has(String name) {
        return parameters.containsKey(name);
    }

    /** Whether a tool's name begins so. */
    boolean isBeginning(String begun) {
        return parameters.keySet().stream().anyMatch(name -> name.startsWith(begun));
    }

    /** The schema of a tool's arguments; null for an undeclared tool. */
    @Nullable JsonNode schema(String name) {
        return parameters.get(name);
    }

    /** The tool's parameter at a place, in the order of its schema; null when there is none. */
    @Nullable String parameter(String name, int place) {
        JsonNode schema = parameters.get(name);
        return schema == null
                ? null
                : schema.path("properties").propertyNames().stream()
                        .skip(place)
                        .findFirst()
                        .orElse(null);
    }
}
