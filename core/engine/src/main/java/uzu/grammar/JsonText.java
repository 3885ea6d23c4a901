package uzu.grammar;

import java.nio.charset.StandardCharsets;

/** Strings as JSON writes them. */
final class JsonText {
    private JsonText() {}

    /** In quotes, with no more escapes than it needs. */
    static byte[] quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\b' -> quoted.append("\\b");
                case '\f' -> quoted.append("\\f");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < 0x20) {
                        quoted.append(String.format("\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Whether {@link #quote} writes it as a backslash and one more byte. */
    static boolean hasShortEscape(int c) {
        return c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t';
    }

    static int utf8Length(int c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }
}
