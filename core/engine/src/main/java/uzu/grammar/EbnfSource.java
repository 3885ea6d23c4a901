package uzu.grammar;

import java.util.HashMap;
import java.util.Map;
import uzu.UzuException;

/** The text of a grammar while it is read; faults name line and column, both from 1 on. */
final class EbnfSource {
    private final String text;
    private final String comment;
    private int at;

    /** @param comment what a comment begins with, which then lasts to the line's end */
    EbnfSource(String text, String comment) {
        this.text = text;
        this.comment = comment;
    }

    int position() {
        return at;
    }

    void back(int position) {
        at = position;
    }

    boolean atEnd() {
        return at == text.length();
    }

    /** The next UTF-16 unit; 0 at the end. */
    char peek() {
        return atEnd() ? 0 : text.charAt(at);
    }

    boolean sees(String word) {
        return text.startsWith(word, at);
    }

    boolean eat(String word) {
        if (!sees(word)) {
            return false;
        }
        at += word.length();
        return true;
    }

    void expect(String word) {
        if (!eat(word)) {
            throw fault(word + " is missing", at);
        }
    }

    int next() {
        if (atEnd()) {
            throw fault("it ends in the middle of something", at);
        }
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    /** Skips blanks and comments, and line ends if they mean nothing there. */
    void skip(boolean lineEnds) {
        while (!atEnd()) {
            if (sees(comment)) {
                while (!atEnd() && peek() != '\n' && peek() != '\r') {
                    at++;
                }
            } else if (peek() == ' ' || peek() == '\t' || lineEnds && (peek() == '\n' || peek() == '\r')) {
                at++;
            } else {
                return;
            }
        }
    }

    /** Letters, digits, underscores and {@code more}; maybe none. */
    String name(String more) {
        int from = at;
        while (!atEnd() && (isWord(peek()) || more.indexOf(peek()) >= 0)) {
            at++;
        }
        return text.substring(from, at);
    }

    private static boolean isWord(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
    }

    int number() {
        int from = at;
        long value = 0;
        while (peek() >= '0' && peek() <= '9') {
            value = Math.min(10 * value + peek() - '0', Integer.MAX_VALUE);
            at++;
        }
        if (at == from || value == Integer.MAX_VALUE) {
            throw fault(at == from ? "a number is missing" : "a number is too large", from);
        }
        return (int) value;
    }

    int hex(int digits) {
        int from = at;
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0 || value >= 1 << 24) {
                throw fault("an escape is no character's number", from);
            }
            value = 16 * value + digit;
        }
        if (CodePoints.of(Math.min(value, Character.MAX_CODE_POINT)).isEmpty() || value > Character.MAX_CODE_POINT) {
            throw fault("an escape is no character's number", from);
        }
        return value;
    }

    String from(int start) {
        return text.substring(start, at);
    }

    UzuException fault(String what, int where) {
        return fault(what, where, Map.of());
    }

    UzuException fault(String what, int where, Map<String, String> more) {
        int line = 1
                + (int) text.substring(0, where).chars().filter(c -> c == '\n').count();
        int column = where - text.lastIndexOf('\n', where - 1);
        Map<String, String> details = new HashMap<>(more);
        details.put("keyword", "ebnf");
        details.put("line", Integer.toString(line));
        details.put("column", Integer.toString(column));
        return new UzuException.GrammarUnsupported(
                "the grammar can't be followed: at line " + line + ", column " + column + ", " + what, details);
    }
}
