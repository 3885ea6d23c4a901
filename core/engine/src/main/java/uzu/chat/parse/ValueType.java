package uzu.chat.parse;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a parameter's schema says a plain text stands for. */
final class ValueType {
    private enum Kind {
        STRING,
        NUMBER,
        INTEGER,
        BOOLEAN,
        NULL,
        ARRAY,
        OBJECT
    }

    static final ValueType TEXT = new ValueType(EnumSet.of(Kind.STRING));

    private static final int DEEPEST = 16;

    private final Set<Kind> kinds;

    private ValueType(Set<Kind> kinds) {
        this.kinds = kinds;
    }

    /**
     * @param schema of the parameter; null when nothing is known of it
     * @param root of all arguments, where references point to
     */
    static ValueType of(@Nullable JsonNode schema, @Nullable JsonNode root) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        if (schema != null) {
            collect(schema, root, kinds, 0);
        }
        return new ValueType(kinds);
    }

    private static void collect(JsonNode schema, @Nullable JsonNode root, Set<Kind> kinds, int depth) {
        if (depth == DEEPEST) {
            return;
        }
        String reference = schema.path("$ref").asString("");
        if (root != null && reference.startsWith("#/")) {
            JsonNode target = root.at(reference.substring(1));
            if (!target.isMissingNode()) {
                collect(target, root, kinds, depth + 1);
            }
        }
        JsonNode type = schema.path("type");
        if (type.isString()) {
            add(type.asString(), kinds);
        }
        type.valueStream().filter(JsonNode::isString).forEach(one -> add(one.asString(), kinds));
        if (type.isMissingNode()) {
            schema.path("enum").valueStream().forEach(value -> kinds.add(kind(value)));
            if (schema.has("const")) {
                kinds.add(kind(schema.get("const")));
            }
            if (schema.has("properties")) {
                kinds.add(Kind.OBJECT);
            }
            for (String choice : new String[] {"anyOf", "oneOf", "allOf"}) {
                schema.path(choice).valueStream().forEach(one -> collect(one, root, kinds, depth + 1));
            }
        }
    }

    private static void add(String type, Set<Kind> kinds) {
        for (Kind kind : Kind.values()) {
            if (kind.name().equalsIgnoreCase(type)) {
                kinds.add(kind);
            }
        }
    }

    private static Kind kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> Kind.ARRAY;
            case OBJECT -> Kind.OBJECT;
            case BOOLEAN -> Kind.BOOLEAN;
            case NUMBER -> value.isIntegralNumber() ? Kind.INTEGER : Kind.NUMBER;
            case NULL -> Kind.NULL;
            default -> Kind.STRING;
        };
    }

    /** Whether every text is itself. */
    boolean isText() {
        return kinds.equals(EnumSet.of(Kind.STRING));
    }

    /** Whether some text is itself. */
    boolean mayBeText() {
        return kinds.isEmpty() || kinds.contains(Kind.STRING);
    }

    /** Whether no list and no object is allowed, nor a text. */
    boolean isScalar() {
        return !mayBeText() && !kinds.contains(Kind.ARRAY) && !kinds.contains(Kind.OBJECT);
    }

    /** The JSON value that {@code text} stands for: of a type allowed if it can be read as one, else a string. */
    String json(String text) {
        if (isText()) {
            return JsonText.quoted(text);
        }
        String plain = text.strip();
        JsonNode value = JsonText.parse(plain);
        if (value == null) {
            // Templates that render values with Python's str teach models True, None and single quotes.
            String python = PythonLiteral.json(plain);
            value = python == null || python.startsWith("\"") ? null : JsonText.parse(python);
            plain = python == null ? plain : python;
        }
        return value != null && allows(kind(value)) ? plain : JsonText.quoted(text);
    }

    private boolean allows(Kind kind) {
        if (kinds.isEmpty()) {
            return kind != Kind.STRING;
        }
        return switch (kind) {
            // A text that happens to be quoted keeps its quotes where any text is allowed.
            case STRING -> !kinds.contains(Kind.STRING);
            case INTEGER -> kinds.contains(Kind.INTEGER) || kinds.contains(Kind.NUMBER);
            default -> kinds.contains(kind);
        };
    }
}
