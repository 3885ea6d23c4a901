package uzu.chat;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** JSON of the test resources, and its values as callers of a template have them. */
final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    static JsonNode resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(Json.class.getResourceAsStream(name), name)) {
            return MAPPER.readTree(stream);
        }
    }

    static JsonNode parse(String json) {
        return MAPPER.readTree(json);
    }

    static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    static Map<String, @Nullable Object> fields(JsonNode object) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        object.properties()
                .forEach(field -> fields.put(field.getKey(), MAPPER.convertValue(field.getValue(), Object.class)));
        return fields;
    }
}
