package uzu.chat.parse;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON values as text. */
final class JsonText {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonText() {}

    /** The value of {@code text}; null when it is no JSON. */
    static @Nullable JsonNode parse(String text) {
        try {
            JsonNode value = MAPPER.readTree(text);
            return value.isMissingNode() ? null : value;
        } catch (JacksonException notJson) {
            return null;
        }
    }

    /** The same value on one line; text that is no JSON stays as it is. */
    static String compact(String json) {
        JsonNode value = parse(json);
        return value == null ? json : value.toString();
    }

    /** {@code text} as a JSON string, in its quotes. */
    static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    /** {@code text} as it stands inside a JSON string. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            escape(text.charAt(i), escaped);
        }
        return escaped.toString();
    }

    static String escaped(char c) {
        StringBuilder escaped = new StringBuilder();
        escape(c, escaped);
        return escaped.toString();
    }

    private static void escape(char c, StringBuilder out) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < ' ') {
                    out.append(String.format("\\u%04x", (int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }
}
