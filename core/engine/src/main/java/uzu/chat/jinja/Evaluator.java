package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.chat.jinja.Expression.CallArguments;
import uzu.chat.jinja.Expression.FilterCall;
import uzu.chat.jinja.Expression.Term;

/** Gives expressions their values. */
final class Evaluator {
    private final Runtime runtime;
    private final Budget budget;
    private final Operators operators;
    private final Subscripts subscripts;

    Evaluator(Runtime runtime) {
        this.runtime = runtime;
        this.budget = runtime.budget();
        this.operators = runtime.operators();
        this.subscripts = runtime.subscripts();
    }

    Object evaluate(Expression expression, Scope scope) {
        if (expression instanceof Expression.Literal literal) {
            budget.step();
            return literal.value();
        }
        if (expression instanceof Expression.Name name) {
            budget.step();
            return scope.get(name.name());
        }
        budget.enter();
        Object value = composite(expression, scope);
        budget.leave();
        return value;
    }

    private Object composite(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal literal -> literal.value();
            case Expression.Name name -> scope.get(name.name());
            case Expression.Attribute attribute ->
                subscripts.attribute(evaluate(attribute.target(), scope), attribute.name());
            case Expression.Item item -> subscripts.item(evaluate(item.target(), scope), evaluate(item.key(), scope));
            case Expression.Slice slice ->
                subscripts.slice(
                        evaluate(slice.target(), scope),
                        optional(slice.start(), scope),
                        optional(slice.stop(), scope),
                        optional(slice.step(), scope));
            case Expression.Call call -> call(call, scope, null);
            case Expression.Filter filter -> filter(filter.call(), evaluate(filter.input(), scope), scope);
            case Expression.Test test -> test(test, scope);
            case Expression.Not not -> !truth(not.operand(), scope);
            case Expression.Sign sign -> sign(sign, scope);
            case Expression.Arithmetic arithmetic -> arithmetic(arithmetic, scope);
            case Expression.Compare compare -> compare(compare, scope);
            case Expression.And and -> firstWithTruth(and.operands(), false, scope);
            case Expression.Or or -> firstWithTruth(or.operands(), true, scope);
            case Expression.Concat concat -> concat(concat, scope);
            case Expression.Conditional conditional -> conditional(conditional, scope);
            case Expression.ListDisplay list -> all(list.items(), scope);
            case Expression.TupleDisplay tuple -> new Tuple(all(tuple.items(), scope));
            case Expression.DictDisplay dict -> dict(dict, scope);
        };
    }

    boolean truth(Expression expression, Scope scope) {
        return Values.truth(evaluate(expression, scope), budget);
    }

    private Object optional(@Nullable Expression expression, Scope scope) {
        return expression == null ? None.NONE : evaluate(expression, scope);
    }

    private List<Object> all(List<Expression> expressions, Scope scope) {
        var values = new ArrayList<Object>(expressions.size());
        for (Expression expression : expressions) {
            values.add(evaluate(expression, scope));
        }
        return values;
    }

    /** Calls; {@code caller}, the body of a call block, goes along as an argument of that name. */
    Object call(Expression.Call call, Scope scope, @Nullable Macro caller) {
        Object function = evaluate(call.function(), scope);
        Arguments arguments = arguments(call.arguments(), scope, caller);
        if (function instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        if (!(function instanceof Callable callable)) {
            throw new TemplateError("'" + Values.type(function) + "' object is not callable");
        }
        int line = budget.line();
        budget.at(call.line());
        Object result = callable.call(arguments);
        budget.read(result);
        budget.at(line);
        return result;
    }

    Object filter(FilterCall filter, Object input, Scope scope) {
        Arguments arguments = arguments(filter.arguments(), scope, null);
        int line = budget.line();
        budget.at(filter.line());
        budget.read(input);
        Object result = runtime.filter(filter.name(), input, arguments);
        budget.read(result);
        budget.at(line);
        return result;
    }

    private boolean test(Expression.Test test, Scope scope) {
        Object input = evaluate(test.input(), scope);
        budget.read(input);
        return runtime.test(test.name(), input, arguments(test.arguments(), scope, null));
    }

    private Arguments arguments(CallArguments arguments, Scope scope, @Nullable Macro caller) {
        if (arguments == CallArguments.NONE && caller == null) {
            return Arguments.NONE;
        }
        List<Object> positional = all(arguments.positional(), scope);
        if (arguments.rest() != null) {
            positional.addAll(Values.list(evaluate(arguments.rest(), scope), budget));
        }
        Map<String, Object> named = new LinkedHashMap<>();
        for (Expression.Named argument : arguments.named()) {
            put(named, argument.name(), evaluate(argument.value(), scope));
        }
        if (caller != null) {
            put(named, "caller", caller);
        }
        if (arguments.namedRest() != null) {
            if (!(evaluate(arguments.namedRest(), scope) instanceof Dict rest)) {
                throw new TemplateError("argument after ** must be a mapping");
            }
            for (Dict.Entry entry : rest.entries()) {
                if (!Values.isString(entry.key())) {
                    throw new TemplateError("keywords must be strings");
                }
                put(named, Values.text(entry.key()), entry.value());
            }
        }
        budget.copy(positional.size() + named.size());
        return new Arguments(positional, named);
    }

    private static void put(Map<String, Object> named, String name, Object value) {
        if (named.put(name, value) != null) {
            throw new TemplateError("got multiple values for keyword argument '" + name + "'");
        }
    }

    private Object sign(Expression.Sign sign, Scope scope) {
        Object value = evaluate(sign.operand(), scope);
        if (value instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        if (!Numbers.isNumber(value)) {
            throw new TemplateError(
                    "bad operand type for unary " + (sign.negative() ? "-" : "+") + ": '" + Values.type(value) + "'");
        }
        return sign.negative() ? Numbers.negate(value, budget) : Numbers.arithmetic("+", value, 0L, budget);
    }

    private Object arithmetic(Expression.Arithmetic arithmetic, Scope scope) {
        Object value = evaluate(arithmetic.first(), scope);
        for (Term term : arithmetic.rest()) {
            value = operators.arithmetic(term.operator(), value, evaluate(term.operand(), scope));
        }
        return value;
    }

    private boolean compare(Expression.Compare compare, Scope scope) {
        Object left = evaluate(compare.first(), scope);
        for (Term term : compare.rest()) {
            Object right = evaluate(term.operand(), scope);
            if (!operators.compare(term.operator(), left, right)) {
                return false;
            }
            left = right;
        }
        return true;
    }

    private Object firstWithTruth(List<Expression> operands, boolean truth, Scope scope) {
        Object value = None.NONE;
        for (Expression operand : operands) {
            value = evaluate(operand, scope);
            if (Values.truth(value, budget) == truth) {
                return value;
            }
        }
        return value;
    }

    private String concat(Expression.Concat concat, Scope scope) {
        var output = new Output(budget);
        for (Expression operand : concat.operands()) {
            output.append(Representation.str(evaluate(operand, scope), budget));
        }
        return output.toString();
    }

    private Object conditional(Expression.Conditional conditional, Scope scope) {
        if (truth(conditional.test(), scope)) {
            return evaluate(conditional.then(), scope);
        }
        return conditional.otherwise() == null
                ? Undefined.because("the inline if-expression evaluated to false and no else section was defined.")
                : evaluate(conditional.otherwise(), scope);
    }

    private Dict dict(Expression.DictDisplay display, Scope scope) {
        var dict = new Dict();
        for (int i = 0; i < display.keys().size(); i++) {
            dict.put(
                    evaluate(display.keys().get(i), scope),
                    evaluate(display.values().get(i), scope));
        }
        return dict;
    }
}
