package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.chat.jinja.Expression.CallArguments;
import uzu.chat.jinja.Expression.FilterCall;
import uzu.chat.jinja.Expression.Named;
import uzu.chat.jinja.Expression.Not;
import uzu.chat.jinja.Expression.Test;
import uzu.chat.jinja.Token.Kind;

/** What is applied to an expression: filters, tests, and the arguments of calls. */
final class CallParser {
    private static final Set<String> NOT_TEST_ARGUMENTS = Set.of("else", "or", "and");

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    CallParser(TokenStream tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /** A filter's name and arguments, after the bar. */
    FilterCall filter() {
        int line = tokens.current().line();
        String name = dottedName();
        return new FilterCall(name, tokens.current().isOperator("(") ? arguments() : CallArguments.NONE, line);
    }

    private String dottedName() {
        var name = new StringBuilder(tokens.name());
        while (tokens.skipOperator(".")) {
            name.append('.').append(tokens.name());
        }
        return name.toString();
    }

    /** What follows {@code is}; an argument may stand without parentheses. */
    Expression test(Expression input, int line) {
        boolean negated = tokens.skipName("not");
        String name = dottedName();
        CallArguments arguments = CallArguments.NONE;
        if (tokens.current().isOperator("(")) {
            arguments = arguments();
        } else if (startsTestArgument(tokens.current())) {
            if (tokens.current().isName("is")) {
                throw tokens.fail("You cannot chain multiple tests with is");
            }
            arguments = new CallArguments(List.of(expressions.subscripted()), List.of(), null, null);
        }
        Expression test = new Test(input, name, arguments, line);
        return negated ? new Not(test) : test;
    }

    private static boolean startsTestArgument(Token token) {
        return switch (token.kind()) {
            case NAME -> !NOT_TEST_ARGUMENTS.contains(token.text());
            case STRING, INTEGER, FLOAT -> true;
            case OPERATOR -> token.text().equals("[") || token.text().equals("{");
            default -> false;
        };
    }

    CallArguments arguments() {
        tokens.expectOperator("(");
        var positional = new ArrayList<Expression>();
        var named = new ArrayList<Named>();
        @Nullable Expression rest = null;
        @Nullable Expression namedRest = null;
        boolean first = true;
        while (!tokens.skipOperator(")")) {
            if (!first) {
                tokens.expectOperator(",");
                if (tokens.skipOperator(")")) {
                    break;
                }
            }
            first = false;
            boolean accepted;
            if (tokens.skipOperator("*")) {
                accepted = rest == null && namedRest == null;
                rest = expressions.expression();
            } else if (tokens.skipOperator("**")) {
                accepted = namedRest == null;
                namedRest = expressions.expression();
            } else if (tokens.current().kind() == Kind.NAME && tokens.ahead().isOperator("=")) {
                accepted = namedRest == null;
                String name = tokens.name();
                tokens.expectOperator("=");
                named.add(new Named(name, expressions.expression()));
            } else {
                accepted = rest == null && namedRest == null && named.isEmpty();
                positional.add(expressions.expression());
            }
            if (!accepted) {
                throw tokens.fail("invalid syntax for function call expression");
            }
        }
        return new CallArguments(positional, named, rest, namedRest);
    }
}
