package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import uzu.chat.jinja.Expression.And;
import uzu.chat.jinja.Expression.Arithmetic;
import uzu.chat.jinja.Expression.Attribute;
import uzu.chat.jinja.Expression.Call;
import uzu.chat.jinja.Expression.Compare;
import uzu.chat.jinja.Expression.Concat;
import uzu.chat.jinja.Expression.Conditional;
import uzu.chat.jinja.Expression.DictDisplay;
import uzu.chat.jinja.Expression.Filter;
import uzu.chat.jinja.Expression.FilterCall;
import uzu.chat.jinja.Expression.Item;
import uzu.chat.jinja.Expression.ListDisplay;
import uzu.chat.jinja.Expression.Literal;
import uzu.chat.jinja.Expression.Name;
import uzu.chat.jinja.Expression.Not;
import uzu.chat.jinja.Expression.Or;
import uzu.chat.jinja.Expression.Sign;
import uzu.chat.jinja.Expression.Slice;
import uzu.chat.jinja.Expression.Term;
import uzu.chat.jinja.Expression.TupleDisplay;
import uzu.chat.jinja.Token.Kind;

/**
 * Expressions, by descent in jinja2's order: if-else, or, and, not, comparison, + -, ~, * / // %, **, sign, then
 * calls, subscripts, filters and tests.
 */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Set<String> SUMS = Set.of("+", "-");
    private static final Set<String> PRODUCTS = Set.of("*", "/", "//", "%");

    private final TokenStream tokens;
    private final CallParser calls;

    ExpressionParser(TokenStream tokens) {
        this.tokens = tokens;
        this.calls = new CallParser(tokens, this);
    }

    /** A filter's name and arguments, after the bar. */
    FilterCall filter() {
        return calls.filter();
    }

    Expression expression() {
        tokens.enter();
        Expression result = or();
        int levels = 1;
        while (tokens.skipName("if")) {
            tokens.enter();
            levels++;
            Expression test = or();
            Expression otherwise = tokens.skipName("else") ? expression() : null;
            result = new Conditional(test, result, otherwise);
        }
        tokens.leave(levels);
        return result;
    }

    /** What a statement tests: no if-else at the top. */
    Expression condition() {
        return tuple(false, false, false);
    }

    /** What a loop runs over, up to its {@code if} or {@code recursive}. */
    Expression loopItems() {
        return tuple(false, false, true);
    }

    /** An expression, or a tuple without parentheses. */
    Expression tuple() {
        return tuple(true, false, false);
    }

    private Expression tuple(boolean conditional, boolean parenthesised, boolean loop) {
        var items = new ArrayList<Expression>();
        boolean isTuple = false;
        while (!atTupleEnd() && !(loop && tokens.current().isName("recursive"))) {
            items.add(conditional ? expression() : or());
            if (!tokens.skipOperator(",")) {
                break;
            }
            isTuple = true;
        }
        if (isTuple || (parenthesised && items.isEmpty())) {
            return new TupleDisplay(items);
        }
        if (items.isEmpty()) {
            throw tokens.expected("an expression");
        }
        return items.getFirst();
    }

    private boolean atTupleEnd() {
        Token token = tokens.current();
        return token.kind() == Kind.VARIABLE_END || token.kind() == Kind.BLOCK_END || token.isOperator(")");
    }

    private Expression or() {
        Expression first = and();
        if (!tokens.current().isName("or")) {
            return first;
        }
        var operands = new ArrayList<>(List.of(first));
        while (tokens.skipName("or")) {
            operands.add(and());
        }
        return new Or(operands);
    }

    private Expression and() {
        Expression first = not();
        if (!tokens.current().isName("and")) {
            return first;
        }
        var operands = new ArrayList<>(List.of(first));
        while (tokens.skipName("and")) {
            operands.add(not());
        }
        return new And(operands);
    }

    private Expression not() {
        if (!tokens.skipName("not")) {
            return compare();
        }
        tokens.enter();
        Expression operand = not();
        tokens.leave();
        return new Not(operand);
    }

    private Expression compare() {
        Expression first = sum();
        var rest = new ArrayList<Term>();
        while (true) {
            Token token = tokens.current();
            if (token.kind() == Kind.OPERATOR && COMPARISONS.contains(token.text())) {
                tokens.next();
                rest.add(new Term(token.text(), sum()));
            } else if (tokens.skipName("in")) {
                rest.add(new Term("in", sum()));
            } else if (token.isName("not") && tokens.ahead().isName("in")) {
                tokens.next();
                tokens.next();
                rest.add(new Term("not in", sum()));
            } else {
                return rest.isEmpty() ? first : new Compare(first, rest);
            }
        }
    }

    private Expression sum() {
        Expression first = concat();
        var rest = new ArrayList<Term>();
        while (isOneOf(SUMS)) {
            rest.add(new Term(tokens.next().text(), concat()));
        }
        return rest.isEmpty() ? first : new Arithmetic(first, rest);
    }

    private Expression concat() {
        Expression first = product();
        if (!tokens.current().isOperator("~")) {
            return first;
        }
        var operands = new ArrayList<>(List.of(first));
        while (tokens.skipOperator("~")) {
            operands.add(product());
        }
        return new Concat(operands);
    }

    private Expression product() {
        Expression first = power();
        var rest = new ArrayList<Term>();
        while (isOneOf(PRODUCTS)) {
            rest.add(new Term(tokens.next().text(), power()));
        }
        return rest.isEmpty() ? first : new Arithmetic(first, rest);
    }

    // Left-associative, as jinja2 has it and Python has not.
    private Expression power() {
        Expression first = sign(true);
        var rest = new ArrayList<Term>();
        while (tokens.skipOperator("**")) {
            rest.add(new Term("**", sign(true)));
        }
        return rest.isEmpty() ? first : new Arithmetic(first, rest);
    }

    private boolean isOneOf(Set<String> operators) {
        Token token = tokens.current();
        return token.kind() == Kind.OPERATOR && operators.contains(token.text());
    }

    private Expression sign(boolean withFilters) {
        Token token = tokens.current();
        if (!isOneOf(SUMS)) {
            Expression primary = primary();
            return postfix(primary, withFilters);
        }
        tokens.next();
        tokens.enter();
        Expression signed = new Sign(token.text().equals("-"), sign(false));
        tokens.leave();
        return postfix(signed, withFilters);
    }

    private Expression primary() {
        Token token = tokens.next();
        switch (token.kind()) {
            case NAME:
                return name(token.text());
            case STRING:
                if (tokens.current().kind() != Kind.STRING) {
                    return new Literal(token.text());
                }
                var text = new StringBuilder(token.text());
                while (tokens.current().kind() == Kind.STRING) {
                    text.append(tokens.next().text());
                }
                return new Literal(text.toString());
            case INTEGER:
                return new Literal(integer(token));
            case FLOAT:
                return new Literal(Double.parseDouble(token.text()));
            case OPERATOR:
                switch (token.text()) {
                    case "(":
                        tokens.enter();
                        Expression tuple = tuple(true, true, false);
                        tokens.expectOperator(")");
                        tokens.leave();
                        return tuple;
                    case "[":
                        return new ListDisplay(listItems());
                    case "{":
                        return dict();
                    default:
                        break;
                }
                break;
            default:
                break;
        }
        throw TemplateError.at(token.line(), "unexpected " + token.described());
    }

    private Expression name(String name) {
        switch (name) {
            case "true", "True":
                return new Literal(true);
            case "false", "False":
                return new Literal(false);
            case "none", "None":
                return new Literal(None.NONE);
            default:
                tokens.reads(name);
                return new Name(name);
        }
    }

    private static Object integer(Token token) {
        String digits = token.text().toLowerCase(Locale.ROOT);
        int radix = digits.startsWith("0x") ? 16 : digits.startsWith("0o") ? 8 : digits.startsWith("0b") ? 2 : 10;
        if (digits.length() > 4_300) {
            throw TemplateError.limitAt(token.line(), "digits of an integer", 4_300);
        }
        return Numbers.normal(new BigInteger(radix == 10 ? digits : digits.substring(2), radix));
    }

    private List<Expression> listItems() {
        var items = new ArrayList<Expression>();
        while (!tokens.skipOperator("]")) {
            if (!items.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator("]")) {
                    break;
                }
            }
            items.add(expression());
        }
        return items;
    }

    private Expression dict() {
        var keys = new ArrayList<Expression>();
        var values = new ArrayList<Expression>();
        while (!tokens.skipOperator("}")) {
            if (!keys.isEmpty()) {
                tokens.expectOperator(",");
                if (tokens.skipOperator("}")) {
                    break;
                }
            }
            keys.add(expression());
            tokens.expectOperator(":");
            values.add(expression());
        }
        return new DictDisplay(keys, values);
    }

    /** A value with its calls and subscripts, and no filters. */
    Expression subscripted() {
        return postfix(primary(), false);
    }

    /** Calls and subscripts, then filters, tests and more calls; each wraps what is left of it, so each is a level. */
    private Expression postfix(Expression start, boolean withFilters) {
        Expression result = start;
        int levels = 0;
        boolean subscripts = true;
        while (true) {
            Token token = tokens.current();
            Expression next;
            if (subscripts && tokens.skipOperator(".")) {
                next = dotted(result);
            } else if (subscripts && tokens.skipOperator("[")) {
                next = subscript(result);
            } else if (token.isOperator("(") && (subscripts || withFilters)) {
                next = new Call(result, calls.arguments(), token.line());
            } else if (withFilters && tokens.skipOperator("|")) {
                next = new Filter(result, calls.filter());
                subscripts = false;
            } else if (withFilters && tokens.skipName("is")) {
                next = calls.test(result, token.line());
                subscripts = false;
            } else {
                break;
            }
            tokens.enter();
            levels++;
            result = next;
        }
        tokens.leave(levels);
        return result;
    }

    private Expression dotted(Expression target) {
        Token token = tokens.next();
        return switch (token.kind()) {
            case NAME -> new Attribute(target, token.text());
            case INTEGER -> new Item(target, new Literal(integer(token)));
            default -> throw TemplateError.at(token.line(), "expected name or number");
        };
    }

    private Expression subscript(Expression target) {
        Expression first = tokens.current().isOperator(":") ? null : expression();
        if (tokens.skipOperator(":")) {
            Expression stop = atSliceEnd() ? null : expression();
            Expression step = tokens.skipOperator(":") && !atSliceEnd() ? expression() : null;
            tokens.expectOperator("]");
            return new Slice(target, first, stop, step);
        }
        var keys = new ArrayList<Expression>();
        while (first != null) {
            keys.add(first);
            first = tokens.skipOperator(",") ? expression() : null;
        }
        tokens.expectOperator("]");
        return new Item(target, keys.size() == 1 ? keys.getFirst() : new TupleDisplay(keys));
    }

    private boolean atSliceEnd() {
        return tokens.current().isOperator("]") || tokens.current().isOperator(":");
    }
}
