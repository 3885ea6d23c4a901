package uzu.chat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Whether arguments fit their schema: types, values listed, required and unknown properties, bounds, lengths,
 * alternatives, local references. A tool that needs more checks it itself.
 */
final class SchemaCheck {
    /** References that lead to references: more of them is a circle. */
    private static final int MOST_REFERENCES = 32;

    /** Schemas that refer to themselves without a step into the value end here. */
    private static final int MOST_DEPTH = 400;

    private static final int MOST_STEPS = 200_000;

    private static final String[] ALTERNATIVES = {"anyOf", "oneOf"};

    private final JsonNode root;
    private int depth;
    private int steps;

    SchemaCheck(JsonNode root) {
        this.root = root;
    }

    JsonNode root() {
        return root;
    }

    /** What doesn't fit, with where it is; null when all does. */
    @Nullable String problem(JsonNode value) {
        return problem(value, root);
    }

    @Nullable String problem(JsonNode value, JsonNode schema) {
        return problem(value, schema, "");
    }

    /** Whether there is one more step to go, which then {@link #leave} ends. */
    boolean enter() {
        if (depth == MOST_DEPTH || steps == MOST_STEPS) {
            return false;
        }
        depth++;
        steps++;
        return true;
    }

    void leave() {
        depth--;
    }

    private @Nullable String problem(JsonNode value, JsonNode written, String path) {
        JsonNode schema = resolve(written);
        if (schema == null || !enter()) {
            return null;
        }
        try {
            return ownProblem(value, schema, path);
        } finally {
            leave();
        }
    }

    private @Nullable String ownProblem(JsonNode value, JsonNode schema, String path) {
        if (schema.isBoolean()) {
            return schema.booleanValue() ? null : at(path) + " isn't allowed";
        }
        List<String> types = types(schema);
        if (!types.isEmpty() && types.stream().noneMatch(type -> is(value, type))) {
            return at(path) + " must be of type " + String.join(" or ", types) + ", not " + kind(value);
        }
        if (schema.has("const") && !same(schema.get("const"), value)) {
            return at(path) + " must be " + schema.get("const");
        }
        if (schema.has("enum") && !lists(schema.get("enum"), value)) {
            return at(path) + " must be one of " + schema.get("enum") + ", not " + value;
        }
        String problem = alternatives(value, schema, path);
        if (problem == null) {
            problem = value.isNumber() ? bounds(value, schema, path) : null;
        }
        if (problem == null && value.isString()) {
            problem = text(value.stringValue(), schema, path);
        }
        if (problem == null && value.isArray()) {
            problem = items(value, schema, path);
        }
        if (problem == null && value.isObject()) {
            problem = properties(value, schema, path);
        }
        return problem;
    }

    private @Nullable String alternatives(JsonNode value, JsonNode schema, String path) {
        for (String keyword : ALTERNATIVES) {
            JsonNode alternatives = schema.get(keyword);
            if (alternatives != null && alternatives.isArray()) {
                String first = null;
                boolean fits = false;
                for (JsonNode alternative : alternatives) {
                    String problem = problem(value, alternative, path);
                    fits |= problem == null;
                    first = first == null ? problem : first;
                }
                if (!fits) {
                    return first;
                }
            }
        }
        for (JsonNode part : schema.path("allOf")) {
            String problem = problem(value, part, path);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String bounds(JsonNode value, JsonNode schema, String path) {
        BigDecimal number = value.decimalValue();
        if (compare(number, schema.get("minimum")) < 0 || below(number, schema.get("exclusiveMinimum"), 1)) {
            return at(path) + " is too small: " + value;
        }
        if (compare(schema.get("maximum"), number) < 0 || below(number, schema.get("exclusiveMaximum"), -1)) {
            return at(path) + " is too large: " + value;
        }
        return null;
    }

    private static int compare(BigDecimal number, @Nullable JsonNode bound) {
        return bound != null && bound.isNumber() ? number.compareTo(bound.decimalValue()) : 0;
    }

    private static int compare(@Nullable JsonNode bound, BigDecimal number) {
        return -compare(number, bound);
    }

    /** Whether the number isn't beyond the bound, in the direction of {@code sign}. */
    private static boolean below(BigDecimal number, @Nullable JsonNode bound, int sign) {
        return bound != null && bound.isNumber() && sign * Integer.signum(number.compareTo(bound.decimalValue())) <= 0;
    }

    private static @Nullable String text(String value, JsonNode schema, String path) {
        int length = value.codePointCount(0, value.length());
        if (length < schema.path("minLength").asInt(0)) {
            return at(path) + " is too short";
        }
        if (length > schema.path("maxLength").asInt(Integer.MAX_VALUE)) {
            return at(path) + " is too long";
        }
        JsonNode pattern = schema.get("pattern");
        try {
            if (pattern != null
                    && pattern.isString()
                    && !Pattern.compile(pattern.stringValue()).matcher(value).find()) {
                return at(path) + " must match " + pattern.stringValue();
            }
        } catch (PatternSyntaxException e) {
            // Of another dialect than Java's: the tool's to check.
            return null;
        }
        return null;
    }

    private @Nullable String items(JsonNode value, JsonNode schema, String path) {
        if (value.size() < schema.path("minItems").asInt(0)) {
            return at(path) + " has too few items";
        }
        if (value.size() > schema.path("maxItems").asInt(Integer.MAX_VALUE)) {
            return at(path) + " has too many items";
        }
        JsonNode first = schema.path("prefixItems");
        for (int i = 0; i < value.size(); i++) {
            JsonNode own = i < first.size() ? first.get(i) : schema.path("items");
            String problem = problem(value.get(i), own, path + "[" + i + "]");
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String properties(JsonNode value, JsonNode schema, String path) {
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.stringValue(""))) {
                return at(path.isEmpty() ? required.stringValue("") : path + "." + required.stringValue(""))
                        + " is missing";
            }
        }
        JsonNode known = schema.path("properties");
        for (var property : value.properties()) {
            String inside = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            JsonNode own = known.get(property.getKey());
            JsonNode others = schema.path("additionalProperties");
            if (own == null && others.isBoolean() && !others.booleanValue() && !schema.has("patternProperties")) {
                return at(inside) + " is no parameter";
            }
            String problem = problem(property.getValue(), own == null ? others : own, inside);
            if (problem != null && (own != null || !schema.has("patternProperties"))) {
                return problem;
            }
        }
        return null;
    }

    /** What a schema's references lead to; null where there is no schema. */
    @Nullable JsonNode resolve(JsonNode written) {
        JsonNode schema = written;
        for (int i = 0; i < MOST_REFERENCES; i++) {
            JsonNode reference = schema.get("$ref");
            if (reference == null || !reference.isString()) {
                return schema.isMissingNode() ? null : schema;
            }
            String pointer = reference.stringValue();
            if (!pointer.startsWith("#")) {
                return null;
            }
            try {
                schema = pointer.equals("#") ? root : root.at(pointer.substring(1));
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        return null;
    }

    static List<String> types(JsonNode schema) {
        List<String> types = new ArrayList<>();
        JsonNode type = schema.path("type");
        if (type.isString()) {
            types.add(type.stringValue());
        }
        if (type.isArray()) {
            type.forEach(one -> types.add(one.stringValue("")));
        }
        return types;
    }

    static boolean is(JsonNode value, String type) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "null" -> value.isNull();
            case "number" -> value.isNumber();
            case "integer" -> isInteger(value);
            default -> false;
        };
    }

    private static boolean isInteger(JsonNode value) {
        if (!value.isNumber() || value.isIntegralNumber()) {
            return value.isNumber();
        }
        BigDecimal number = value.decimalValue();
        return Math.abs((long) number.scale()) <= 1000
                && number.stripTrailingZeros().scale() <= 0;
    }

    private static boolean lists(JsonNode values, JsonNode value) {
        for (JsonNode one : values) {
            if (same(one, value)) {
                return true;
            }
        }
        return false;
    }

    /** Numbers are the same where their values are. */
    static boolean same(JsonNode one, JsonNode other) {
        return one.isNumber() && other.isNumber()
                ? one.decimalValue().compareTo(other.decimalValue()) == 0
                : one.equals(other);
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> "number";
            default -> "null";
        };
    }

    private static String at(String path) {
        return path.isEmpty() ? "the arguments" : path;
    }
}
