package uzu.chat.jinja;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The expressions of the language. Chains of one precedence are flat, so that their length costs no stack. */
sealed interface Expression {
    record Literal(Object value) implements Expression {}

    record Name(String name) implements Expression {}

    record Attribute(Expression target, String name) implements Expression {}

    record Item(Expression target, Expression key) implements Expression {}

    record Slice(
            Expression target,
            @Nullable Expression start,
            @Nullable Expression stop,
            @Nullable Expression step) implements Expression {}

    record Call(Expression function, CallArguments arguments, int line) implements Expression {}

    record Filter(Expression input, FilterCall call) implements Expression {}

    record Test(Expression input, String name, CallArguments arguments, int line) implements Expression {}

    record Not(Expression operand) implements Expression {}

    record Sign(boolean negative, Expression operand) implements Expression {}

    record Arithmetic(Expression first, List<Term> rest) implements Expression {}

    record Compare(Expression first, List<Term> rest) implements Expression {}

    record And(List<Expression> operands) implements Expression {}

    record Or(List<Expression> operands) implements Expression {}

    record Concat(List<Expression> operands) implements Expression {}

    record Conditional(
            Expression test, Expression then, @Nullable Expression otherwise) implements Expression {}

    record ListDisplay(List<Expression> items) implements Expression {}

    record TupleDisplay(List<Expression> items) implements Expression {}

    record DictDisplay(List<Expression> keys, List<Expression> values) implements Expression {}

    /** An operator and what stands right of it. */
    record Term(String operator, Expression operand) {}

    record Named(String name, Expression value) {}

    /** The arguments of a call: positional, named, {@code *rest}, {@code **rest}. */
    record CallArguments(
            List<Expression> positional,
            List<Named> named,
            @Nullable Expression rest,
            @Nullable Expression namedRest) {
        static final CallArguments NONE = new CallArguments(List.of(), List.of(), null, null);
    }

    record FilterCall(String name, CallArguments arguments, int line) {}
}
