package uzu.grammar;

/** JSON that is cut off, completed: for a value that is still being written. */
public final class PartialJson {
    private final String text;
    private final StringBuilder closers = new StringBuilder();
    /** Up to here the text can be completed by closing what is open. */
    private int kept;

    private String tail = "";
    private int at;

    private PartialJson(String text) {
        this.text = text;
    }

    /**
     * The JSON text of what {@code text}, the beginning of a JSON text, holds so far: arrays, objects and strings that
     * are open are closed; a key without a value, half an escape, half a word and what is no JSON are left out; a number
     * is taken as it stands. {@code null} where there is nothing yet.
     */
    public static String complete(String text) {
        PartialJson partial = new PartialJson(text);
        partial.value();
        String whole = text.substring(0, partial.kept) + partial.tail;
        return whole.isEmpty() ? "null" : whole;
    }

    /** Reads a value; false where the text ends in it, or is no JSON from there on. */
    private boolean value() {
        // Values nest as deep as the text says, so that their reading can't be a recursion.
        int start = closers.length();
        while (true) {
            space();
            if (at == text.length()) {
                return false;
            }
            char c = text.charAt(at);
            boolean whole;
            if (c == '{' || c == '[') {
                at++;
                closers.append(c == '{' ? '}' : ']');
                keep("");
                space();
                if (at < text.length() && text.charAt(at) == closer()) {
                    whole = close();
                } else if (c == '{') {
                    if (!key()) {
                        return false;
                    }
                    continue;
                } else {
                    continue;
                }
            } else if (c == '"') {
                whole = string(true);
            } else if (c == '-' || (c >= '0' && c <= '9')) {
                whole = number();
            } else {
                whole = word();
            }
            if (!whole) {
                return false;
            }
            keep("");
            if (!next(start)) {
                return closers.length() == start;
            }
        }
    }

    /** Behind a value: whether another follows. */
    private boolean next(int start) {
        while (closers.length() > start) {
            space();
            if (at == text.length()) {
                return false;
            }
            char c = text.charAt(at);
            if (c == closer()) {
                close();
                keep("");
            } else if (c == ',') {
                at++;
                return closer() != '}' || key();
            } else {
                closers.setLength(start);
                return false;
            }
        }
        return false;
    }

    private char closer() {
        return closers.charAt(closers.length() - 1);
    }

    private boolean close() {
        at++;
        closers.setLength(closers.length() - 1);
        return true;
    }

    /** What comes before {@link #at} is whole but for {@code ending} and what is open. */
    private void keep(String ending) {
        kept = at;
        tail = ending + new StringBuilder(closers).reverse();
    }

    private void space() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean key() {
        space();
        if (at == text.length() || text.charAt(at) != '"' || !string(false)) {
            return false;
        }
        space();
        if (at == text.length() || text.charAt(at) != ':') {
            return false;
        }
        at++;
        return true;
    }

    /** @param isValue whether what there is of it counts */
    private boolean string(boolean isValue) {
        at++;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return true;
            }
            int length = c == '\\' ? escape() : Character.isHighSurrogate(c) ? 2 : 1;
            if (length == 0 || at + length > text.length() || c < 0x20) {
                break;
            }
            at += length;
        }
        if (isValue) {
            keep("\"");
        }
        return false;
    }

    /** Characters of the escape here, with the second half of a pair; 0 if it is cut off or none. */
    private int escape() {
        if (at + 1 >= text.length()) {
            return 0;
        }
        if (text.charAt(at + 1) != 'u') {
            return "\"\\/bfnrt".indexOf(text.charAt(at + 1)) < 0 ? 0 : 2;
        }
        int unit = hex(at + 2);
        if (unit < 0) {
            return 0;
        }
        if (!Character.isHighSurrogate((char) unit)) {
            return 6;
        }
        boolean pair = at + 8 <= text.length() && text.startsWith("\\u", at + 6) && hex(at + 8) >= 0;
        return pair ? 12 : 0;
    }

    /** The four hex digits from {@code from} on, −1 if they aren't there. */
    private int hex(int from) {
        if (from + 4 > text.length()) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private boolean number() {
        int start = at;
        int whole = -1;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
            if (Character.digit(text.charAt(at - 1), 10) >= 0) {
                whole = at;
            }
        }
        boolean ended = at < text.length() && whole == at;
        if (whole > start) {
            at = whole;
            keep("");
        }
        return ended || (whole == text.length() && closers.isEmpty());
    }

    private boolean word() {
        for (String word : new String[] {"true", "false", "null"}) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return true;
            }
        }
        return false;
    }
}
