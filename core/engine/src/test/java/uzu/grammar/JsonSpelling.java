package uzu.grammar;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** Ways to write the same JSON value. */
enum JsonSpelling {
    /** No white space, characters as they are. */
    COMPACT(",", ":", false),
    /** As Python's {@code json.dumps} writes it. */
    PYTHON(", ", ": ", true);

    private final String comma;
    private final String colon;
    private final boolean ascii;

    JsonSpelling(String comma, String colon, boolean ascii) {
        this.comma = comma;
        this.colon = colon;
        this.ascii = ascii;
    }

    /** @param json whose numbers keep their spelling */
    String of(String json) {
        StringBuilder out = new StringBuilder();
        try (JsonParser parser = JsonMapper.shared().createParser(json)) {
            boolean bare = true;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                boolean ends = token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY;
                if (!bare && !ends) {
                    out.append(comma);
                }
                switch (token) {
                    case START_OBJECT -> out.append('{');
                    case START_ARRAY -> out.append('[');
                    case END_OBJECT -> out.append('}');
                    case END_ARRAY -> out.append(']');
                    case PROPERTY_NAME -> {
                        quote(parser.currentName(), out);
                        out.append(colon);
                    }
                    case VALUE_STRING -> quote(parser.getString(), out);
                    default -> out.append(parser.getString());
                }
                bare = token == JsonToken.START_OBJECT
                        || token == JsonToken.START_ARRAY
                        || token == JsonToken.PROPERTY_NAME;
            }
        }
        return out.toString();
    }

    private void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (c < ' ' || ascii && c > '~') {
                        out.append("\\u%04x".formatted((int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
