package uzu.chat.parse;

import org.jspecify.annotations.Nullable;

/** Python literals as JSON: strings, numbers, {@code True}, {@code None}, lists, tuples, dicts. */
final class PythonLiteral {
    private static final int DEEPEST = 200;

    private final String text;
    private int at;
    private int depth;

    private PythonLiteral(String text) {
        this.text = text;
    }

    /** JSON text of the literal that {@code text} is; null when it is none. */
    static @Nullable String json(String text) {
        PythonLiteral reader = new PythonLiteral(text);
        String json = reader.value();
        reader.spaces();
        return json != null && reader.at == text.length() ? json : null;
    }

    private void spaces() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private @Nullable String value() {
        spaces();
        char c = peek();
        if (depth >= DEEPEST) {
            return null;
        }
        return switch (c) {
            case '"', '\'' -> string();
            case '[' -> list(']');
            case '(' -> list(')');
            case '{' -> dict();
            default -> word();
        };
    }

    private @Nullable String list(char close) {
        depth++;
        StringBuilder json = new StringBuilder("[");
        at++;
        spaces();
        while (peek() != close) {
            String item = value();
            if (item == null) {
                return null;
            }
            json.append(json.length() > 1 ? ", " : "").append(item);
            if (!comma(close)) {
                return null;
            }
        }
        at++;
        depth--;
        return json.append(']').toString();
    }

    private @Nullable String dict() {
        depth++;
        StringBuilder json = new StringBuilder("{");
        at++;
        spaces();
        while (peek() != '}') {
            String key = value();
            spaces();
            if (key == null || peek() != ':') {
                return null;
            }
            at++;
            String item = value();
            if (item == null) {
                return null;
            }
            json.append(json.length() > 1 ? ", " : "")
                    .append(key.startsWith("\"") ? key : JsonText.quoted(key))
                    .append(": ")
                    .append(item);
            if (!comma('}')) {
                return null;
            }
        }
        at++;
        depth--;
        return json.append('}').toString();
    }

    /** Behind an item: a comma, or the end ahead. */
    private boolean comma(char close) {
        spaces();
        if (peek() == ',') {
            at++;
            spaces();
            return true;
        }
        return peek() == close;
    }

    private @Nullable String word() {
        int from = at;
        while (at < text.length() && ",:)]}".indexOf(text.charAt(at)) < 0 && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "True", "true" -> "true";
            case "False", "false" -> "false";
            case "None", "null" -> "null";
            default -> number(word);
        };
    }

    private static @Nullable String number(String word) {
        String plain = word.replace("_", "");
        if (plain.isEmpty() || "+-.0123456789".indexOf(plain.charAt(0)) < 0) {
            return null;
        }
        if (plain.startsWith("+")) {
            plain = plain.substring(1);
        }
        plain = plain.startsWith(".") ? "0" + plain : plain.startsWith("-.") ? "-0" + plain.substring(1) : plain;
        plain = plain.endsWith(".") ? plain + "0" : plain;
        return JsonText.parse(plain) == null ? null : plain;
    }

    private @Nullable String string() {
        char quote = text.charAt(at++);
        StringBuilder string = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == quote) {
                return JsonText.quoted(string.toString());
            }
            if (c != '\\' || at == text.length()) {
                string.append(c);
            } else {
                escape(text.charAt(at++), string);
            }
        }
        return null;
    }

    private void escape(char c, StringBuilder string) {
        switch (c) {
            case 'n' -> string.append('\n');
            case 't' -> string.append('\t');
            case 'r' -> string.append('\r');
            case 'b' -> string.append('\b');
            case 'f' -> string.append('\f');
            case '0' -> string.append('\0');
            case '\\', '\'', '"' -> string.append(c);
            case '\n' -> {}
            case 'x' -> code(2, 'x', string);
            case 'u' -> code(4, 'u', string);
            case 'U' -> code(8, 'U', string);
            default -> string.append('\\').append(c);
        }
    }

    private void code(int digits, char kind, StringBuilder string) {
        int end = at + digits;
        int code = 0;
        for (int i = at; i < end; i++) {
            int digit = i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0 || code > Character.MAX_CODE_POINT >> 4) {
                string.append('\\').append(kind);
                return;
            }
            code = code << 4 | digit;
        }
        if (!Character.isValidCodePoint(code)) {
            string.append('\\').append(kind);
            return;
        }
        at = end;
        string.appendCodePoint(code);
    }
}
