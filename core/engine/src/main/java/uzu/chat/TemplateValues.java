package uzu.chat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** JSON values as templates take them: maps, lists, strings, numbers, booleans, null, in their order. */
final class TemplateValues {
    private TemplateValues() {}

    static @Nullable Object of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> map(node);
            case ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                node.forEach(item -> list.add(of(item)));
                yield list;
            }
            case STRING -> node.stringValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> {
                if (!node.isIntegralNumber()) {
                    yield node.doubleValue();
                }
                yield node.canConvertToLong() ? (Object) node.longValue() : node.bigIntegerValue();
            }
            default -> null;
        };
    }

    static Map<String, @Nullable Object> map(JsonNode object) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        object.properties().forEach(property -> map.put(property.getKey(), of(property.getValue())));
        return map;
    }
}
