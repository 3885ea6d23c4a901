package uzu.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/**
 * An object of an exported model's config.json: each field is asked for by name, and what was never asked for is refused
 * by {@link #finish}. Errors name a field by its path.
 */
final class ExportedObject {
    private final JsonNode node;
    private final String path;
    private final Set<String> asked = new HashSet<>();

    /** @param path of the object, empty for the whole file */
    ExportedObject(JsonNode node, String path) {
        this.node = node;
        this.path = path;
        if (!node.isObject()) {
            throw new UzuException.ModelCorrupt(path + " is not an object", Map.of("field", path));
        }
    }

    private String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    boolean has(String name) {
        return field(name) != null;
    }

    /** Null where the file says null or nothing. */
    private @Nullable JsonNode field(String name) {
        asked.add(name);
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private JsonNode required(String name) {
        JsonNode value = field(name);
        if (value == null) {
            throw corrupt(name, "is missing");
        }
        return value;
    }

    int count(String name, int least, int most) {
        return count(name, required(name), least, most);
    }

    private int count(String name, JsonNode value, int least, int most) {
        boolean whole = value.isIntegralNumber() && value.canConvertToInt();
        if (!whole || value.asInt() < least || value.asInt() > most) {
            throw corrupt(name, "is " + value + "; expected " + least + " to " + most);
        }
        return value.asInt();
    }

    int[] counts(String name, int least, int most) {
        JsonNode list = list(name);
        int[] counts = new int[list.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = count(name + "." + i, list.get(i), least, most);
        }
        return counts;
    }

    double positive(String name) {
        return positive(name, required(name));
    }

    double positiveOr(String name, double otherwise) {
        JsonNode value = field(name);
        return value == null ? otherwise : positive(name, value);
    }

    private double positive(String name, JsonNode value) {
        if (!value.isNumber() || !Double.isFinite(value.asDouble()) || !(value.asDouble() > 0)) {
            throw corrupt(name, "is " + value + "; expected a positive number");
        }
        return value.asDouble();
    }

    double numberOr(String name, double otherwise) {
        JsonNode value = field(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
            throw corrupt(name, "is " + value + "; expected a number");
        }
        return value.asDouble();
    }

    boolean flag(String name, boolean otherwise) {
        JsonNode value = field(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw corrupt(name, "is " + value + "; expected true or false");
        }
        return value.asBoolean();
    }

    /** Text of the field {@code name}. */
    String text(String name) {
        JsonNode value = required(name);
        if (!value.isString()) {
            throw corrupt(name, "is " + value + "; expected a text");
        }
        return value.stringValue();
    }

    ExportedObject object(String name) {
        return new ExportedObject(required(name), path(name));
    }

    @Nullable ExportedObject objectOrNull(String name) {
        return has(name) ? object(name) : null;
    }

    List<ExportedObject> objects(String name) {
        JsonNode list = list(name);
        List<ExportedObject> objects = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            objects.add(new ExportedObject(list.get(i), path(name) + "." + i));
        }
        return objects;
    }

    private JsonNode list(String name) {
        JsonNode value = required(name);
        if (!value.isArray() || value.isEmpty()) {
            throw corrupt(name, "is not a list with entries");
        }
        return value;
    }

    /** Refuses fields that say something which isn't supported: anything but null, false and nothing. */
    void refuse(String... names) {
        for (String name : names) {
            JsonNode value = field(name);
            if (value != null && !(value.isBoolean() && !value.asBoolean())) {
                throw unsupported(name, value.isContainer() ? "set" : value.toString(), "null");
            }
        }
    }

    /** The class that the object says it is; refused unless it is {@code expected}. */
    void type(String expected) {
        String found = text("type");
        if (!found.equals(expected)) {
            throw unsupported("type", found, expected);
        }
    }

    /** An object without fields, as linears are. */
    void empty(String name) {
        ExportedObject object = objectOrNull(name);
        if (object != null) {
            object.finish();
        }
    }

    /** Refuses what is left. */
    void finish() {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!asked.contains(entry.getKey())) {
                String field = path(entry.getKey());
                throw new UzuException.ModelUnsupported(
                        "config.json sets " + field + ", which this version doesn't know", Map.of("field", field));
            }
        }
    }

    UzuException.ModelUnsupported unsupported(String name, String found, String expected) {
        return new UzuException.ModelUnsupported(
                path(name) + " is " + found + "; supported: " + expected, Map.of("field", path(name)));
    }

    UzuException.ModelCorrupt corrupt(String name, String problem) {
        return new UzuException.ModelCorrupt(path(name) + " " + problem, Map.of("field", path(name)));
    }
}
