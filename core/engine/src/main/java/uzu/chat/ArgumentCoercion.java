package uzu.chat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Arguments as their schema wants them, where a model wrote the same value in another type: {@code "3"} for 3, {@code
 * 3.0} for an integer, a number or truth value for text, JSON as text for an object or list, null for what may be left
 * out. Through objects, lists, alternatives and local references. What can't be turned into what the schema wants is
 * left as it is, for {@link SchemaCheck} to tell.
 */
final class ArgumentCoercion {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final SchemaCheck check;

    ArgumentCoercion(JsonNode schema) {
        this.check = new SchemaCheck(schema);
    }

    JsonNode coerce(JsonNode value) {
        return coerce(value, check.root());
    }

    private JsonNode coerce(JsonNode value, JsonNode written) {
        JsonNode schema = check.resolve(written);
        if (schema == null || !schema.isObject() || !check.enter()) {
            return value;
        }
        try {
            return coerceTo(schema, value);
        } finally {
            check.leave();
        }
    }

    private JsonNode coerceTo(JsonNode schema, JsonNode value) {
        JsonNode coerced = spelled(typed(value, SchemaCheck.types(schema)), schema);
        for (String keyword : new String[] {"anyOf", "oneOf"}) {
            coerced = alternative(coerced, schema.get(keyword));
        }
        for (JsonNode part : schema.path("allOf")) {
            coerced = coerce(coerced, part);
        }
        return switch (coerced) {
            case ObjectNode object -> properties(object, schema);
            case ArrayNode array -> items(array, schema);
            default -> coerced;
        };
    }

    /** The first alternative that takes it as it is, else the first that takes it coerced. */
    private JsonNode alternative(JsonNode value, @Nullable JsonNode alternatives) {
        if (alternatives == null || !alternatives.isArray()) {
            return value;
        }
        List<JsonNode> coerced = new ArrayList<>();
        for (JsonNode alternative : alternatives) {
            if (check.problem(value, alternative) == null) {
                return value;
            }
            coerced.add(coerce(value, alternative));
        }
        for (int i = 0; i < coerced.size(); i++) {
            if (check.problem(coerced.get(i), alternatives.get(i)) == null) {
                return coerced.get(i);
            }
        }
        return value;
    }

    private ObjectNode properties(ObjectNode object, JsonNode schema) {
        JsonNode known = schema.path("properties");
        JsonNode others = schema.path("additionalProperties");
        ObjectNode result = NODES.objectNode();
        object.properties().forEach(property -> {
            JsonNode own = known.get(property.getKey());
            JsonNode value = coerce(property.getValue(), own == null ? others : own);
            boolean leftOut = own != null
                    && value.isNull()
                    && !requires(schema, property.getKey())
                    && check.problem(value, own) != null;
            if (!leftOut) {
                result.set(property.getKey(), value);
            }
        });
        return result;
    }

    private static boolean requires(JsonNode schema, String name) {
        for (JsonNode required : schema.path("required")) {
            if (required.stringValue("").equals(name)) {
                return true;
            }
        }
        return false;
    }

    private ArrayNode items(ArrayNode array, JsonNode schema) {
        JsonNode first = schema.path("prefixItems");
        ArrayNode result = NODES.arrayNode();
        for (int i = 0; i < array.size(); i++) {
            result.add(coerce(array.get(i), i < first.size() ? first.get(i) : schema.path("items")));
        }
        return result;
    }

    /** Of the values listed the one that is spelled so. */
    private static JsonNode spelled(JsonNode value, JsonNode schema) {
        List<JsonNode> allowed = new ArrayList<>();
        schema.path("enum").forEach(allowed::add);
        if (schema.has("const")) {
            allowed.add(schema.get("const"));
        }
        if (!value.isValueNode() || allowed.stream().anyMatch(one -> SchemaCheck.same(one, value))) {
            return value;
        }
        return allowed.stream()
                .filter(one -> one.isValueNode() && one.asString().equals(value.asString()))
                .findFirst()
                .orElse(value);
    }

    private static JsonNode typed(JsonNode value, List<String> types) {
        if (types.isEmpty() || types.stream().anyMatch(type -> SchemaCheck.is(value, type))) {
            return value.isFloat() || value.isDouble() || value.isBigDecimal() ? whole(value, types) : value;
        }
        for (String type : types) {
            JsonNode converted = converted(value, type);
            if (converted != null) {
                return converted;
            }
        }
        return value;
    }

    /** An integer is written as one, where it is wanted. */
    private static JsonNode whole(JsonNode value, List<String> types) {
        if (!types.contains("integer") || types.contains("number")) {
            return value;
        }
        return NODES.numberNode(value.decimalValue().toBigIntegerExact());
    }

    private static @Nullable JsonNode converted(JsonNode value, String type) {
        if (!value.isString()) {
            boolean plain = value.isNumber() || value.isBoolean();
            return type.equals("string") && plain ? StringNode.valueOf(value.asString()) : null;
        }
        String text = value.stringValue().strip();
        return switch (type) {
            case "integer", "number" -> number(text, type);
            case "boolean" ->
                switch (text.toLowerCase(Locale.ROOT)) {
                    case "true" -> BooleanNode.TRUE;
                    case "false" -> BooleanNode.FALSE;
                    default -> null;
                };
            case "null" ->
                text.isEmpty() || text.equalsIgnoreCase("null") || text.equals("None") ? NullNode.instance : null;
            case "object" -> structure(text, '{');
            case "array" -> structure(text, '[');
            default -> null;
        };
    }

    private static @Nullable JsonNode number(String text, String type) {
        if (text.length() > 100) {
            return null;
        }
        try {
            BigDecimal number = new BigDecimal(text);
            // An exponent of a million has a million digits as an integer.
            if (Math.abs((long) number.scale()) > 1000) {
                return null;
            }
            boolean integral = number.stripTrailingZeros().scale() <= 0;
            if (type.equals("integer")) {
                return integral ? NODES.numberNode(number.toBigIntegerExact()) : null;
            }
            return number.scale() <= 0 ? NODES.numberNode(number.toBigIntegerExact()) : NODES.numberNode(number);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable JsonNode structure(String text, char opening) {
        if (text.isEmpty() || text.charAt(0) != opening) {
            return null;
        }
        try {
            return JsonText.parse(text);
        } catch (JacksonException e) {
            return null;
        }
    }
}
