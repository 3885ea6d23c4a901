package uzu.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import uzu.UzuException;

/**
 * Reads a regular expression: ECMA 262 with the flag {@code u}, where single characters that it demands to be escaped may
 * also stand for themselves, and Python's spelling of named groups. What no automaton can do, back references, is
 * refused by position.
 */
final class RegexParser {
    /** Groups in groups; deeper ones would take the reader's own stack. */
    private static final int MOST_DEPTH = 200;

    /** {@code .} is all but these. */
    private static final CodePoints LINE_ENDS = CodePoints.of("\n\r\u2028\u2029");

    private final String source;
    private int at;
    private int depth;
    private boolean ignoresCase;
    private boolean dotIsAll;

    private RegexParser(String source) {
        this.source = source;
    }

    /** @throws UzuException.GrammarUnsupported naming the position of what is wrong or can't be done */
    static Regex parse(String source) {
        RegexParser parser = new RegexParser(source);
        Regex whole = parser.choice();
        if (parser.at < source.length()) {
            throw parser.fault("a parenthesis that nothing opened", parser.at);
        }
        return whole;
    }

    private Regex choice() {
        if (++depth > MOST_DEPTH) {
            throw fault("groups nested deeper than " + MOST_DEPTH, at);
        }
        boolean outerCase = ignoresCase;
        boolean outerDot = dotIsAll;
        List<Regex> branches = new ArrayList<>();
        do {
            branches.add(sequence());
        } while (eat('|'));
        ignoresCase = outerCase;
        dotIsAll = outerDot;
        depth--;
        return branches.size() == 1 ? branches.getFirst() : new Regex.Choice(List.copyOf(branches));
    }

    private Regex sequence() {
        List<Regex> parts = new ArrayList<>();
        while (at < source.length() && source.charAt(at) != '|' && source.charAt(at) != ')') {
            int from = at;
            Regex atom = atom();
            parts.add(quantified(atom, from));
        }
        return parts.size() == 1 ? parts.getFirst() : new Regex.Sequence(List.copyOf(parts));
    }

    private Regex quantified(Regex atom, int from) {
        int min;
        int max;
        if (eat('*')) {
            min = 0;
            max = Regex.UNBOUNDED;
        } else if (eat('+')) {
            min = 1;
            max = Regex.UNBOUNDED;
        } else if (eat('?')) {
            min = 0;
            max = 1;
        } else if (isCount(at)) {
            int count = at++;
            min = number();
            max = !eat(',') ? min : source.charAt(at) == '}' ? Regex.UNBOUNDED : number();
            expect('}');
            if (max < min) {
                throw fault("a count whose end is less than its start", count);
            }
        } else {
            return atom;
        }
        // lazy and greedy match the same texts
        eat('?');
        if (at < source.length() && (isOneOf("*+?") || isCount(at))) {
            throw fault("a quantifier with nothing to repeat", at);
        }
        boolean bare = source.charAt(from) != '(';
        if (bare && (atom instanceof Regex.Start || atom instanceof Regex.End || atom instanceof Regex.WordEdge)) {
            throw fault("a quantifier after an assertion", from);
        }
        return new Regex.Repeat(atom, min, max);
    }

    private boolean isOneOf(String characters) {
        return at < source.length() && characters.indexOf(source.charAt(at)) >= 0;
    }

    /** Whether {@code {n}}, {@code {n,}} or {@code {n,m}} stands there. */
    private boolean isCount(int from) {
        int i = from;
        if (i >= source.length() || source.charAt(i++) != '{') {
            return false;
        }
        int digits = i;
        while (i < source.length() && isDigit(source.charAt(i))) {
            i++;
        }
        if (i == digits) {
            return false;
        }
        if (i < source.length() && source.charAt(i) == ',') {
            i++;
            while (i < source.length() && isDigit(source.charAt(i))) {
                i++;
            }
        }
        return i < source.length() && source.charAt(i) == '}';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private int number() {
        int from = at;
        long value = 0;
        while (at < source.length() && isDigit(source.charAt(at))) {
            value = Math.min(value * 10 + source.charAt(at++) - '0', Regex.UNBOUNDED);
        }
        if (value == Regex.UNBOUNDED) {
            throw fault("a count over " + (Regex.UNBOUNDED - 1), from);
        }
        return (int) value;
    }

    private Regex atom() {
        int from = at;
        int c = source.codePointAt(at);
        at += Character.charCount(c);
        return switch (c) {
            case '^' -> new Regex.Start();
            case '$' -> new Regex.End();
            case '.' -> new Regex.Chars(dotIsAll ? CodePoints.ANY : LINE_ENDS.not());
            case '(' -> group(from);
            case '[' -> chars(new RegexClass(this).set());
            case '\\' -> escape(from);
            case '*', '+', '?' -> throw fault("a quantifier with nothing to repeat", from);
            default -> {
                if (isCount(from)) {
                    throw fault("a quantifier with nothing to repeat", from);
                }
                yield chars(CodePoints.of(c));
            }
        };
    }

    private Regex chars(CodePoints set) {
        return new Regex.Chars(ignoresCase ? UnicodeProperties.closedOverCase(set) : set);
    }

    private Regex escape(int from) {
        if (eat('b')) {
            return new Regex.WordEdge(false);
        }
        if (eat('B')) {
            return new Regex.WordEdge(true);
        }
        if (isOneOf("123456789k")) {
            throw fault("a back reference, which no automaton can follow", from);
        }
        return chars(new RegexEscape(this, from).set());
    }

    private Regex group(int from) {
        if (!eat('?')) {
            return closed(choice(), from);
        }
        if (eat(':')) {
            return closed(choice(), from);
        }
        if (eat('=')) {
            return new Regex.Ahead(closed(choice(), from), false);
        }
        if (eat('!')) {
            return new Regex.Ahead(closed(choice(), from), true);
        }
        if (source.startsWith("<=", at) || source.startsWith("<!", at)) {
            throw fault("a look behind", from);
        }
        if (eat('<') || source.startsWith("P<", at)) {
            at = source.indexOf('>', at) + 1;
            if (at == 0
                    || !source.substring(source.lastIndexOf('<', at) + 1, at - 1)
                            .matches("[\\p{L}_$][\\p{L}\\p{N}_$]*")) {
                throw fault("a group's name that isn't one", from);
            }
            return closed(choice(), from);
        }
        return flags(from);
    }

    /** {@code (?i:…)}, and {@code (?i)} for the rest of the group around it, as other dialects have it. */
    private Regex flags(int from) {
        boolean outerCase = ignoresCase;
        boolean outerDot = dotIsAll;
        boolean on = true;
        while (at < source.length() && source.charAt(at) != ':' && source.charAt(at) != ')') {
            switch (source.charAt(at++)) {
                case 'i' -> ignoresCase = on;
                case 's' -> dotIsAll = on;
                case '-' -> on = false;
                default -> throw fault("a group that begins with an unknown sign", from);
            }
        }
        if (eat(')')) {
            return Regex.NOTHING;
        }
        expect(':');
        Regex body = closed(choice(), from);
        ignoresCase = outerCase;
        dotIsAll = outerDot;
        return body;
    }

    private Regex closed(Regex body, int from) {
        if (!eat(')')) {
            throw fault("a group that nothing closes", from);
        }
        return body;
    }

    boolean eat(char c) {
        if (at < source.length() && source.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    void expect(char c) {
        if (!eat(c)) {
            throw fault("'" + c + "' missing", at);
        }
    }

    boolean atEnd() {
        return at >= source.length();
    }

    /** The character that comes next, which there is. */
    int peek() {
        return source.codePointAt(at);
    }

    int next() {
        if (atEnd()) {
            throw fault("an end in the middle of something", at);
        }
        int c = source.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    int position() {
        return at;
    }

    UzuException fault(String what, int where) {
        return new UzuException.GrammarUnsupported(
                "the regular expression " + shortened() + " has " + what + " at position " + where,
                Map.of("keyword", "pattern", "position", Integer.toString(where), "pattern", source));
    }

    private String shortened() {
        return source.length() <= 80 ? source : source.substring(0, 80) + "…";
    }
}
