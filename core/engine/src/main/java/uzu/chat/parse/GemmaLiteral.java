package uzu.chat.parse;

import org.jspecify.annotations.Nullable;

/** Values as Gemma writes them, as JSON: strings between quote tokens, bare keys, numbers, lists, objects. */
final class GemmaLiteral {
    private static final int DEEPEST = 200;

    private final String text;
    private final String quote;
    private int at;
    private int depth;

    private GemmaLiteral(String text, String quote) {
        this.text = text;
        this.quote = quote;
    }

    /** JSON text of the value that {@code text} is; null when it is none. */
    static @Nullable String json(String text, String quote) {
        GemmaLiteral reader = new GemmaLiteral(text, quote);
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
        if (depth >= DEEPEST) {
            return null;
        }
        if (text.startsWith(quote, at)) {
            String string = quoted();
            return string == null ? null : JsonText.quoted(string);
        }
        return switch (peek()) {
            case '[' -> list();
            case '{' -> object();
            default -> bare();
        };
    }

    private @Nullable String quoted() {
        int from = at + quote.length();
        int to = text.indexOf(quote, from);
        if (to < 0) {
            return null;
        }
        at = to + quote.length();
        return text.substring(from, to);
    }

    private @Nullable String list() {
        depth++;
        StringBuilder json = new StringBuilder("[");
        at++;
        spaces();
        while (peek() != ']') {
            String item = value();
            if (item == null) {
                return null;
            }
            json.append(json.length() > 1 ? ", " : "").append(item);
            if (!comma(']')) {
                return null;
            }
        }
        at++;
        depth--;
        return json.append(']').toString();
    }

    private @Nullable String object() {
        depth++;
        StringBuilder json = new StringBuilder("{");
        at++;
        spaces();
        while (peek() != '}') {
            String key = key();
            if (key == null) {
                return null;
            }
            String item = value();
            if (item == null) {
                return null;
            }
            json.append(json.length() > 1 ? ", " : "")
                    .append(JsonText.quoted(key))
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

    private @Nullable String key() {
        String key;
        if (text.startsWith(quote, at)) {
            key = quoted();
            spaces();
        } else {
            int colon = text.indexOf(':', at);
            key = colon < 0 ? null : text.substring(at, colon).strip();
            at = colon < 0 ? at : colon;
        }
        if (key == null || peek() != ':') {
            return null;
        }
        at++;
        return key;
    }

    private boolean comma(char close) {
        spaces();
        if (peek() == ',') {
            at++;
            spaces();
            return true;
        }
        return peek() == close;
    }

    /** A number or a word; other bare text is a string whose quotes the model forgot. */
    private @Nullable String bare() {
        int from = at;
        while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at).strip();
        if (word.isEmpty()) {
            return null;
        }
        return JsonText.parse(word) == null ? JsonText.quoted(word) : word;
    }
}
