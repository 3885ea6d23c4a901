package uzu.chat.jinja;

/** Backslash escapes of string literals, as Python's {@code unicode-escape} reads them. */
final class Escapes {
    private static final String SIMPLE = "\\'\"abfnrtv";
    private static final String MEANINGS = "\\'\"\u0007\b\f\n\r\t\u000b";

    private final String written;
    private final int line;
    private final StringBuilder text = new StringBuilder();
    private int position;

    private Escapes(String written, int line) {
        this.written = written;
        this.line = line;
    }

    static String decode(String written, int line) {
        return written.indexOf('\\') < 0 ? written : new Escapes(written, line).decode();
    }

    private String decode() {
        while (position < written.length()) {
            char c = written.charAt(position++);
            if (c == '\\') {
                escape(written.charAt(position++));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private void escape(char c) {
        int simple = SIMPLE.indexOf(c);
        if (simple >= 0) {
            text.append(MEANINGS.charAt(simple));
            return;
        }
        switch (c) {
            case '\n' -> {}
            case 'x' -> text.append((char) hex(2));
            case 'u' -> text.append((char) hex(4));
            case 'U' -> {
                int codePoint = hex(8);
                if (!Character.isValidCodePoint(codePoint)) {
                    throw TemplateError.at(line, "illegal Unicode character");
                }
                text.appendCodePoint(codePoint);
            }
            case 'N' -> named();
            default -> {
                if (c >= '0' && c <= '7') {
                    octal(c);
                } else {
                    text.append('\\').append(c);
                }
            }
        }
    }

    private int hex(int digits) {
        long value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = position < written.length() ? Character.digit(written.charAt(position), 16) : -1;
            if (digit < 0) {
                throw TemplateError.at(line, "truncated escape of " + digits + " hexadecimal digits");
            }
            value = value << 4 | digit;
            position++;
        }
        return (int) value;
    }

    private void octal(char first) {
        int value = first - '0';
        for (int i = 0; i < 2 && position < written.length(); i++) {
            char c = written.charAt(position);
            if (c < '0' || c > '7') {
                break;
            }
            value = value << 3 | (c - '0');
            position++;
        }
        text.append((char) value);
    }

    private void named() {
        int end = written.startsWith("{", position) ? written.indexOf('}', position) : -1;
        if (end < 0) {
            throw TemplateError.at(line, "malformed \\N character escape");
        }
        try {
            text.appendCodePoint(Character.codePointOf(written.substring(position + 1, end)));
        } catch (IllegalArgumentException unknown) {
            throw TemplateError.at(line, "unknown Unicode character name");
        }
        position = end + 1;
    }
}
