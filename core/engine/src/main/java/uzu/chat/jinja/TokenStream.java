package uzu.chat.jinja;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import uzu.chat.jinja.Token.Kind;

/** The tokens of a template while it is parsed, with the depth reached and the names read. */
final class TokenStream {
    private final List<Token> tokens;
    private final int maxNesting;
    private int position;
    private int nesting;
    private Set<String> names = new HashSet<>();

    TokenStream(List<Token> tokens, int maxNesting) {
        this.tokens = tokens;
        this.maxNesting = maxNesting;
    }

    Token current() {
        return tokens.get(position);
    }

    Token ahead() {
        return tokens.get(Math.min(position + 1, tokens.size() - 1));
    }

    /** The current token, moving on; the last one, {@code END}, stays. */
    Token next() {
        Token token = current();
        if (token.kind() != Kind.END) {
            position++;
        }
        return token;
    }

    boolean skipOperator(String operator) {
        boolean found = current().isOperator(operator);
        if (found) {
            next();
        }
        return found;
    }

    boolean skipName(String name) {
        boolean found = current().isName(name);
        if (found) {
            next();
        }
        return found;
    }

    void expectOperator(String operator) {
        if (!skipOperator(operator)) {
            throw expected("'" + operator + "'");
        }
    }

    void expectName(String name) {
        if (!skipName(name)) {
            throw expected("'" + name + "'");
        }
    }

    String name() {
        if (current().kind() != Kind.NAME) {
            throw expected("a name");
        }
        return next().text();
    }

    void expect(Kind kind) {
        if (current().kind() != kind) {
            throw expected(new Token(kind, "", 0).described());
        }
        next();
    }

    TemplateError expected(String what) {
        return fail("expected " + what + ", got " + current().described());
    }

    TemplateError fail(String message) {
        return TemplateError.at(current().line(), message);
    }

    void enter() {
        if (++nesting > maxNesting) {
            throw TemplateError.limitAt(current().line(), "nesting", maxNesting);
        }
    }

    void leave() {
        nesting--;
    }

    void leave(int levels) {
        nesting -= levels;
    }

    void reads(String name) {
        names.add(name);
    }

    /** Starts to collect the names read from here on; give the result to {@link #namesSince}. */
    Set<String> collectNames() {
        Set<String> outer = names;
        names = new HashSet<>();
        return outer;
    }

    Set<String> namesSince(Set<String> outer) {
        Set<String> inner = names;
        outer.addAll(inner);
        names = outer;
        return inner;
    }
}
