package uzu.chat.jinja;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements of the language, each with its line. */
sealed interface Statement {
    int line();

    record Data(String text, int line) implements Statement {}

    record Print(Expression value, int line) implements Statement {}

    record If(List<Branch> branches, List<Statement> otherwise, int line) implements Statement {}

    record For(
            Target target,
            Expression items,
            @Nullable Expression condition,
            List<Statement> body,
            List<Statement> otherwise,
            boolean recursive,
            int line)
            implements Statement {}

    record Set(Target target, Expression value, int line) implements Statement {}

    record SetBlock(Target target, List<Expression.FilterCall> filters, List<Statement> body, int line)
            implements Statement {}

    record Define(MacroBody macro, int line) implements Statement {}

    record CallBlock(Expression.Call call, MacroBody caller, int line) implements Statement {}

    record FilterBlock(List<Expression.FilterCall> filters, List<Statement> body, int line) implements Statement {}

    record With(List<Target> targets, List<Expression> values, List<Statement> body, int line) implements Statement {}

    /** {@code {% generation %}}: marks what the assistant wrote, and renders as its body. */
    record Generation(List<Statement> body, int line) implements Statement {}

    record Break(int line) implements Statement {}

    record Continue(int line) implements Statement {}

    record Branch(Expression test, List<Statement> body, int line) {}

    record Parameter(String name, @Nullable Expression fallback) {}

    /** A macro's text; which of {@code caller}, {@code varargs}, {@code kwargs} it reads decides what it takes. */
    record MacroBody(
            String name,
            List<Parameter> parameters,
            List<Statement> body,
            boolean takesCaller,
            boolean takesRest,
            boolean takesNamedRest,
            int line) {}

    /** What an assignment writes to. */
    sealed interface Target {
        record Variable(String name) implements Target {}

        record Field(String namespace, String field) implements Target {}

        record Unpack(List<Target> targets) implements Target {}
    }
}
