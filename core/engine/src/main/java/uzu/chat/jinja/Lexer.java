package uzu.chat.jinja;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import uzu.chat.jinja.Token.Kind;

/** Cuts a template into tokens, with {@code trim_blocks} and {@code lstrip_blocks} on as transformers has them. */
final class Lexer {
    private static final String DECIMAL = "0123456789";
    private static final List<String> LONG_OPERATORS = List.of("==", "!=", "<=", ">=", "//", "**");
    private static final String OPERATORS = "+-*/%~[](){}=><.:|,;";

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int position;
    private boolean lineStarting = true;
    private int line = 1;
    private int counted;

    private Lexer(String source) {
        this.source = source;
    }

    static List<Token> tokens(String template) {
        String source = template.replace("\r\n", "\n").replace('\r', '\n');
        if (source.endsWith("\n")) {
            source = source.substring(0, source.length() - 1);
        }
        var lexer = new Lexer(source);
        while (lexer.position < source.length()) {
            lexer.root();
        }
        lexer.add(Kind.END, "", source.length());
        return lexer.tokens;
    }

    /** Text up to the next tag, and that tag. */
    private void root() {
        int tag = nextTag();
        if (tag < 0) {
            add(Kind.DATA, source.substring(position), position);
            position = source.length();
            return;
        }
        char type = source.charAt(tag + 1);
        int inside = tag + 2;
        char sign = signAt(inside);
        if (sign != 0) {
            inside++;
        }
        data(position, tag, sign, type != '{');
        position = inside;
        if (type == '#') {
            comment(tag);
        } else if (type == '{') {
            add(Kind.VARIABLE_BEGIN, "", tag);
            expression(Kind.VARIABLE_END);
        } else if (!raw(tag)) {
            add(Kind.BLOCK_BEGIN, "", tag);
            expression(Kind.BLOCK_END);
        }
    }

    private int nextTag() {
        for (int at = source.indexOf('{', position); at >= 0; at = source.indexOf('{', at + 1)) {
            if (at + 1 < source.length() && "{%#".indexOf(source.charAt(at + 1)) >= 0) {
                return at;
            }
        }
        return -1;
    }

    private char signAt(int at) {
        char c = at < source.length() ? source.charAt(at) : 0;
        return c == '-' || c == '+' ? c : 0;
    }

    private void data(int from, int to, char sign, boolean isBlock) {
        String text = source.substring(from, to);
        if (sign == '-') {
            text = Text.stripEnd(text, null);
        } else if (sign == 0 && isBlock) {
            int lineStart = text.lastIndexOf('\n') + 1;
            if ((lineStart > 0 || lineStarting) && Text.isBlank(text, lineStart)) {
                text = text.substring(0, lineStart);
            }
        }
        if (!text.isEmpty()) {
            add(Kind.DATA, text, from);
        }
    }

    private void comment(int tag) {
        int end = source.indexOf("#}", position);
        if (end < 0) {
            throw TemplateError.at(lineAt(tag), "Missing end of comment tag");
        }
        char sign = end > position ? signAt(end - 1) : 0;
        closeTag(end + 2, sign, true);
    }

    /** Moves past a tag's end and the whitespace that goes with it. */
    private void closeTag(int end, char sign, boolean trims) {
        position = end;
        if (sign == '-') {
            skipSpace();
        } else if (trims && sign == 0 && position < source.length() && source.charAt(position) == '\n') {
            position++;
        }
        lineStarting = source.charAt(position - 1) == '\n';
    }

    private void skipSpace() {
        position = spaceEnd(position);
    }

    private int spaceEnd(int from) {
        int at = from;
        while (at < source.length() && Text.isSpace(source.charAt(at))) {
            at++;
        }
        return at;
    }

    /** {@code {% raw %}…{% endraw %}}, if that is what starts here. */
    private boolean raw(int tag) {
        int at = wordEnd(position, "raw");
        if (at < 0) {
            return false;
        }
        if (source.startsWith("-%}", at)) {
            closeTag(at + 3, '-', false);
        } else if (source.startsWith("%}", at)) {
            closeTag(at + 2, '+', false);
        } else {
            return false;
        }
        int body = position;
        for (int end = source.indexOf("{%", body); end >= 0; end = source.indexOf("{%", end + 1)) {
            char sign = signAt(end + 2);
            int after = wordEnd(end + (sign == 0 ? 2 : 3), "endraw");
            if (after < 0) {
                continue;
            }
            char closing = signAt(after);
            int close = closing == 0 ? after : after + 1;
            if (source.startsWith("%}", close)) {
                data(body, end, sign, true);
                closeTag(close + 2, closing, true);
                return true;
            }
        }
        throw TemplateError.at(lineAt(tag), "Missing end of raw directive");
    }

    /** The place after {@code word} and the spaces around it, or -1. */
    private int wordEnd(int from, String word) {
        int at = spaceEnd(from);
        return source.startsWith(word, at) ? spaceEnd(at + word.length()) : -1;
    }

    private void expression(Kind end) {
        Deque<Character> open = new ArrayDeque<>();
        while (position < source.length()) {
            if (open.isEmpty() && atEnd(end)) {
                return;
            }
            char c = source.charAt(position);
            if (Text.isSpace(c)) {
                skipSpace();
            } else if (!number() && !name() && !string(c)) {
                operator(c, open);
            }
        }
    }

    private boolean atEnd(Kind end) {
        boolean block = end == Kind.BLOCK_END;
        String mark = block ? "%}" : "}}";
        char sign = signAt(position);
        if (sign == '+' && !block) {
            return false;
        }
        int at = sign == 0 ? position : position + 1;
        if (!source.startsWith(mark, at)) {
            return false;
        }
        add(end, "", position);
        closeTag(at + 2, sign, block);
        return true;
    }

    private boolean number() {
        if (!isOneOf(DECIMAL, position)) {
            return false;
        }
        int end = position > 0 && source.charAt(position - 1) == '.' ? position : floatEnd();
        Kind kind = end > position ? Kind.FLOAT : Kind.INTEGER;
        end = end > position ? end : integerEnd();
        add(kind, source.substring(position, end).replace("_", ""), position);
        position = end;
        return true;
    }

    /** After digits with a fraction, an exponent, or both; else where it starts. */
    private int floatEnd() {
        int whole = digitsEnd(position, DECIMAL);
        int end = source.startsWith(".", whole) ? Math.max(whole, digitsEnd(whole + 1, DECIMAL)) : whole;
        end = end == whole + 1 ? whole : end;
        if (isOneOf("eE", end)) {
            int digits = end + (isOneOf("+-", end + 1) ? 2 : 1);
            end = Math.max(end, isOneOf(DECIMAL, digits) ? digitsEnd(digits, DECIMAL) : end);
        }
        return end == whole ? position : end;
    }

    private int integerEnd() {
        if (source.charAt(position) != '0') {
            return digitsEnd(position, DECIMAL);
        }
        int marked = position + 2;
        int end = switch (position + 1 < source.length() ? source.charAt(position + 1) : 0) {
            case 'b', 'B' -> digitsEnd(marked, "01");
            case 'o', 'O' -> digitsEnd(marked, "01234567");
            case 'x', 'X' -> digitsEnd(marked, "0123456789abcdefABCDEF");
            default -> marked;
        };
        return end > marked ? end : digitsEnd(position, "0");
    }

    /** After a run of {@code digits}, which may have single underscores in it. */
    private int digitsEnd(int from, String digits) {
        int at = from;
        while (isOneOf(digits, at) || (at > from && isOneOf("_", at) && isOneOf(digits, at + 1))) {
            at++;
        }
        return at;
    }

    private boolean isOneOf(String characters, int at) {
        return at < source.length() && characters.indexOf(source.charAt(at)) >= 0;
    }

    private boolean name() {
        int end = position;
        while (end < source.length() && isWord(source.codePointAt(end))) {
            end += Character.charCount(source.codePointAt(end));
        }
        if (end == position) {
            return false;
        }
        int first = source.codePointAt(position);
        if (!Character.isUnicodeIdentifierStart(first) && first != '_') {
            throw TemplateError.at(lineAt(position), "Invalid character in identifier");
        }
        add(Kind.NAME, source.substring(position, end), position);
        position = end;
        return true;
    }

    private static boolean isWord(int c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    private boolean string(char quote) {
        if (quote != '"' && quote != '\'') {
            return false;
        }
        int end = position + 1;
        while (end < source.length() && source.charAt(end) != quote) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= source.length()) {
            throw unexpected(quote);
        }
        String written = source.substring(position + 1, end);
        add(Kind.STRING, Escapes.decode(written, lineAt(position)), position);
        position = end + 1;
        return true;
    }

    private void operator(char c, Deque<Character> open) {
        for (String operator : LONG_OPERATORS) {
            if (source.startsWith(operator, position)) {
                add(Kind.OPERATOR, operator, position);
                position += 2;
                return;
            }
        }
        if (OPERATORS.indexOf(c) < 0) {
            throw unexpected(c);
        }
        int pair = "([{".indexOf(c);
        if (pair >= 0) {
            open.push(")]}".charAt(pair));
        } else if (")]}".indexOf(c) >= 0) {
            if (open.isEmpty()) {
                throw TemplateError.at(lineAt(position), "unexpected '" + c + "'");
            }
            char expected = open.pop();
            if (expected != c) {
                throw TemplateError.at(lineAt(position), "unexpected '" + c + "', expected '" + expected + "'");
            }
        }
        add(Kind.OPERATOR, String.valueOf(c), position);
        position++;
    }

    private TemplateError unexpected(char c) {
        return TemplateError.at(lineAt(position), "unexpected char '" + c + "' at " + position);
    }

    private void add(Kind kind, String text, int at) {
        tokens.add(new Token(kind, text, lineAt(at)));
    }

    /** Counts on from the last place asked for; places are asked for in order, or nearly. */
    private int lineAt(int at) {
        if (at < counted) {
            return line
                    - (int) source.substring(at, counted)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
        }
        for (; counted < at; counted++) {
            if (source.charAt(counted) == '\n') {
                line++;
            }
        }
        return line;
    }
}
