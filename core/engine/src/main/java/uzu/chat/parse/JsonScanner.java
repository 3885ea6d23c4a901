package uzu.chat.parse;

/**
 * Checks JSON text (RFC 8259) character by character: after each one accepted the text is a beginning of a valid value.
 * Bare control characters in strings, which models write for line ends, are accepted; {@link #written} escapes them.
 */
final class JsonScanner {
    /** What a character is to the outermost object or array. */
    enum Role {
        SPACE,
        /** Of a key of the outermost object, quotes included. */
        KEY,
        /** Of a value in the outermost object or array, or inside it. */
        VALUE,
        /** A brace, bracket, comma or colon of the outermost value. */
        STRUCTURE
    }

    private enum Expect {
        VALUE,
        VALUE_OR_END,
        KEY,
        KEY_OR_END,
        COLON,
        COMMA_OR_END,
        NOTHING
    }

    private enum Inside {
        NOTHING,
        STRING,
        ESCAPE,
        UNICODE,
        WORD,
        MINUS,
        ZERO,
        INTEGER,
        POINT,
        FRACTION,
        EXPONENT,
        SIGN,
        POWER
    }

    // What readers of the arguments take: Jackson's own limit is 500.
    private static final int DEEPEST = 400;

    private final StringBuilder open = new StringBuilder();
    private Expect expect = Expect.VALUE;
    private Inside inside = Inside.NOTHING;
    private boolean key;
    private int digits;
    private String word = "";
    private int letter;
    private Role role = Role.SPACE;

    /** Whether the text with {@code c} begins a valid value. After false the scanner is of no more use. */
    boolean accept(char c) {
        int before = open.length();
        boolean within = inside != Inside.NOTHING;
        boolean wasKey = key;
        if (!next(c)) {
            return false;
        }
        boolean scalar = inside != Inside.NOTHING || within && !isSpace(c) && c != ',' && c != ']' && c != '}';
        if (before > 1 || open.length() > 1) {
            role = Role.VALUE;
        } else if (scalar) {
            role = key || wasKey ? Role.KEY : Role.VALUE;
        } else {
            role = isSpace(c) ? Role.SPACE : Role.STRUCTURE;
        }
        return true;
    }

    Role role() {
        return role;
    }

    /** Open objects and arrays. */
    int depth() {
        return open.length();
    }

    /** Whether a value that started with a brace, a bracket or a quote is whole. */
    boolean isWhole() {
        return expect == Expect.NOTHING && inside == Inside.NOTHING;
    }

    /** The character just accepted as valid JSON has it. */
    String written(char c) {
        if (inside != Inside.STRING || c >= ' ') {
            return String.valueOf(c);
        }
        return JsonText.escaped(c);
    }

    private boolean next(char c) {
        return switch (inside) {
            case NOTHING -> outside(c);
            case STRING -> string(c);
            case ESCAPE -> escape(c);
            case UNICODE -> unicode(c);
            case WORD -> word(c);
            default -> number(c);
        };
    }

    private boolean outside(char c) {
        if (isSpace(c)) {
            return true;
        }
        return switch (expect) {
            case VALUE -> value(c);
            case VALUE_OR_END -> c == ']' ? close('[') : value(c);
            case KEY -> c == '"' && string(true);
            case KEY_OR_END -> c == '}' ? close('{') : c == '"' && string(true);
            case COLON -> c == ':' && expect(Expect.VALUE);
            case COMMA_OR_END ->
                switch (c) {
                    case ',' -> expect(innermost() == '{' ? Expect.KEY : Expect.VALUE);
                    case ']' -> close('[');
                    case '}' -> close('{');
                    default -> false;
                };
            case NOTHING -> false;
        };
    }

    private boolean value(char c) {
        return switch (c) {
            case '{' -> open(c, Expect.KEY_OR_END);
            case '[' -> open(c, Expect.VALUE_OR_END);
            case '"' -> string(false);
            case 't' -> word("true", 1);
            case 'f' -> word("false", 1);
            case 'n' -> word("null", 1);
            case '-' -> inside(Inside.MINUS);
            case '0' -> inside(Inside.ZERO);
            default -> isDigit(c) && inside(Inside.INTEGER);
        };
    }

    private boolean open(char bracket, Expect next) {
        open.append(bracket);
        return open.length() <= DEEPEST && expect(next);
    }

    private char innermost() {
        return open.charAt(open.length() - 1);
    }

    private boolean close(char bracket) {
        if (innermost() != bracket) {
            return false;
        }
        open.setLength(open.length() - 1);
        return ended();
    }

    private boolean ended() {
        inside = Inside.NOTHING;
        return expect(open.isEmpty() ? Expect.NOTHING : Expect.COMMA_OR_END);
    }

    private boolean expect(Expect next) {
        expect = next;
        return true;
    }

    private boolean inside(Inside next) {
        inside = next;
        key = false;
        return true;
    }

    private boolean string(boolean isKey) {
        inside = Inside.STRING;
        key = isKey;
        return true;
    }

    private boolean string(char c) {
        if (c == '"') {
            inside = Inside.NOTHING;
            boolean wasKey = key;
            key = false;
            return wasKey ? expect(Expect.COLON) : ended();
        }
        if (c == '\\') {
            inside = Inside.ESCAPE;
        }
        return true;
    }

    private boolean escape(char c) {
        digits = 0;
        inside = c == 'u' ? Inside.UNICODE : Inside.STRING;
        return "\"\\/bfnrtu".indexOf(c) >= 0;
    }

    private boolean unicode(char c) {
        inside = ++digits == 4 ? Inside.STRING : Inside.UNICODE;
        return Character.digit(c, 16) >= 0 && c < 0x80;
    }

    private boolean word(String spelling, int at) {
        word = spelling;
        letter = at;
        return inside(Inside.WORD);
    }

    private boolean word(char c) {
        if (word.charAt(letter++) != c) {
            return false;
        }
        return letter < word.length() || ended();
    }

    private boolean number(char c) {
        Inside next = switch (inside) {
            case MINUS -> c == '0' ? Inside.ZERO : isDigit(c) ? Inside.INTEGER : Inside.NOTHING;
            case ZERO -> afterInteger(c);
            case INTEGER -> isDigit(c) ? Inside.INTEGER : afterInteger(c);
            case POINT -> isDigit(c) ? Inside.FRACTION : Inside.NOTHING;
            case FRACTION -> isDigit(c) ? Inside.FRACTION : exponent(c);
            case EXPONENT -> c == '+' || c == '-' ? Inside.SIGN : isDigit(c) ? Inside.POWER : Inside.NOTHING;
            default -> isDigit(c) ? Inside.POWER : Inside.NOTHING;
        };
        if (next != Inside.NOTHING) {
            inside = next;
            return true;
        }
        boolean whole = inside == Inside.ZERO
                || inside == Inside.INTEGER
                || inside == Inside.FRACTION
                || inside == Inside.POWER;
        return whole && ended() && outside(c);
    }

    private static Inside afterInteger(char c) {
        return c == '.' ? Inside.POINT : exponent(c);
    }

    private static Inside exponent(char c) {
        return c == 'e' || c == 'E' ? Inside.EXPONENT : Inside.NOTHING;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
