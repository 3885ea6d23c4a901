package uzu.bridge;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** JSON written as it comes, for what is written for each token: a tree of nodes costs many times as much. */
final class JsonWriter {
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder(512);
    private boolean isFirst = true;

    JsonWriter object() {
        return open('{');
    }

    JsonWriter object(String name) {
        name(name);
        return open('{');
    }

    JsonWriter endObject() {
        out.append('}');
        isFirst = false;
        return this;
    }

    JsonWriter array(String name) {
        name(name);
        return open('[');
    }

    JsonWriter endArray() {
        out.append(']');
        isFirst = false;
        return this;
    }

    JsonWriter put(String name, @Nullable String value) {
        name(name);
        return value == null ? raw("null") : add(value);
    }

    /** Null for a number that JSON has no word for. */
    JsonWriter put(String name, @Nullable Number value) {
        name(name);
        boolean isNone = value == null || value instanceof Double number && !Double.isFinite(number);
        return raw(isNone ? "null" : String.valueOf(value));
    }

    JsonWriter put(String name, long value) {
        name(name);
        separate();
        out.append(value);
        return this;
    }

    JsonWriter put(String name, List<Integer> values) {
        array(name);
        for (int value : values) {
            separate();
            out.append(value);
        }
        return endArray();
    }

    JsonWriter put(String name, JsonNode value) {
        return putJson(name, value.toString());
    }

    /** A value that is JSON already. */
    JsonWriter putJson(String name, String json) {
        name(name);
        return raw(json);
    }

    /** An element. */
    JsonWriter add(String value) {
        separate();
        quoted(value);
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private JsonWriter raw(String json) {
        separate();
        out.append(json);
        return this;
    }

    private JsonWriter open(char bracket) {
        separate();
        out.append(bracket);
        isFirst = true;
        return this;
    }

    private void name(String name) {
        separate();
        out.append('"').append(name).append("\":");
        isFirst = true;
    }

    private void separate() {
        if (!isFirst) {
            out.append(',');
        }
        isFirst = false;
    }

    private void quoted(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            switch (letter) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (letter < ' ') {
                        out.append("\\u00").append(HEX.charAt(letter >> 4)).append(HEX.charAt(letter & 15));
                    } else {
                        out.append(letter);
                    }
                }
            }
        }
        out.append('"');
    }
}
