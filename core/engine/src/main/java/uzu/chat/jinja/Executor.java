package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uzu.chat.jinja.Expression.FilterCall;
import uzu.chat.jinja.Statement.Branch;
import uzu.chat.jinja.Statement.Target;

/** Runs statements, writing what they print. */
final class Executor {
    /** How a block ended. */
    private enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    private final Budget budget;
    private final Evaluator evaluator;

    Executor(Runtime runtime) {
        this.budget = runtime.budget();
        this.evaluator = new Evaluator(runtime);
    }

    Object evaluate(Expression expression, Scope scope) {
        return evaluator.evaluate(expression, scope);
    }

    /** What {@code block} prints. */
    String rendered(List<Statement> block, Scope scope) {
        var output = new Output(budget);
        run(block, scope, output);
        return output.toString();
    }

    private Flow run(List<Statement> block, Scope scope, Output output) {
        budget.enter();
        Flow flow = Flow.NEXT;
        for (Statement statement : block) {
            budget.at(statement.line());
            flow = run(statement, scope, output);
            if (flow != Flow.NEXT) {
                break;
            }
        }
        budget.leave();
        return flow;
    }

    private Flow run(Statement statement, Scope scope, Output output) {
        switch (statement) {
            case Statement.Data data -> output.append(data.text());
            case Statement.Print print -> output.append(str(evaluate(print.value(), scope)));
            case Statement.Set set -> assign(set.target(), evaluate(set.value(), scope), scope);
            case Statement.If conditional -> {
                return conditional(conditional, scope, output);
            }
            case Statement.For loop -> {
                return loop(loop, evaluate(loop.items(), scope), 1, scope, output);
            }
            case Statement.SetBlock set -> {
                return setBlock(set, scope);
            }
            case Statement.Define define -> scope.set(define.macro().name(), new Macro(define.macro(), scope, this));
            case Statement.CallBlock call -> {
                var caller = new Macro(call.caller(), scope, this);
                output.append(str(evaluator.call(call.call(), scope, caller)));
            }
            case Statement.FilterBlock filter -> {
                var inner = new Output(budget);
                Flow flow = run(filter.body(), new Scope(scope), inner);
                if (flow != Flow.NEXT) {
                    return flow;
                }
                output.append(str(filtered(inner.toString(), filter.filters(), scope)));
            }
            case Statement.With with -> {
                return with(with, scope, output);
            }
            case Statement.Generation generation -> {
                return run(generation.body(), new Scope(scope), output);
            }
            case Statement.Break ignored -> {
                return Flow.BREAK;
            }
            case Statement.Continue ignored -> {
                return Flow.CONTINUE;
            }
        }
        return Flow.NEXT;
    }

    private String str(Object value) {
        return Representation.str(value, budget);
    }

    private Flow conditional(Statement.If conditional, Scope scope, Output output) {
        for (Branch branch : conditional.branches()) {
            budget.at(branch.line());
            if (evaluator.truth(branch.test(), scope)) {
                return run(branch.body(), scope, output);
            }
        }
        return run(conditional.otherwise(), scope, output);
    }

    private Flow loop(Statement.For loop, Object iterable, int depth, Scope scope, Output output) {
        List<Object> items = chosen(loop, Values.list(iterable, budget), scope);
        if (items.isEmpty()) {
            return run(loop.otherwise(), new Scope(scope), output);
        }
        var context = new LoopContext(items, depth, loop.recursive() ? deeper(loop, depth, scope) : null, budget);
        for (int i = 0; i < items.size(); i++) {
            context.at(i);
            var inner = new Scope(scope);
            inner.set("loop", context);
            assign(loop.target(), items.get(i), inner);
            if (run(loop.body(), inner, output) == Flow.BREAK) {
                break;
            }
        }
        return Flow.NEXT;
    }

    private List<Object> chosen(Statement.For loop, List<Object> items, Scope scope) {
        if (loop.condition() == null) {
            return items;
        }
        var chosen = new ArrayList<Object>();
        for (Object item : items) {
            var inner = new Scope(scope);
            assign(loop.target(), item, inner);
            if (evaluator.truth(loop.condition(), inner)) {
                chosen.add(item);
            }
        }
        return chosen;
    }

    private java.util.function.@Nullable Function<Object, Object> deeper(Statement.For loop, int depth, Scope scope) {
        return iterable -> {
            budget.enter();
            var output = new Output(budget);
            loop(loop, iterable, depth + 1, scope, output);
            budget.leave();
            return output.toString();
        };
    }

    private Flow setBlock(Statement.SetBlock set, Scope scope) {
        var output = new Output(budget);
        Flow flow = run(set.body(), new Scope(scope), output);
        if (flow == Flow.NEXT) {
            assign(set.target(), filtered(output.toString(), set.filters(), scope), scope);
        }
        return flow;
    }

    private Object filtered(String text, List<FilterCall> filters, Scope scope) {
        Object value = text;
        for (FilterCall filter : filters) {
            value = evaluator.filter(filter, value, scope);
        }
        return value;
    }

    private Flow with(Statement.With with, Scope scope, Output output) {
        var inner = new Scope(scope);
        for (int i = 0; i < with.targets().size(); i++) {
            assign(with.targets().get(i), evaluate(with.values().get(i), scope), inner);
        }
        return run(with.body(), inner, output);
    }

    private void assign(Target target, Object value, Scope scope) {
        switch (target) {
            case Target.Variable variable -> scope.set(variable.name(), value);
            case Target.Field field -> {
                if (!(scope.get(field.namespace()) instanceof Namespace namespace)) {
                    throw new TemplateError("cannot assign attribute on non-namespace object");
                }
                namespace.fields().put(field.field(), value);
            }
            case Target.Unpack unpack -> unpack(unpack.targets(), value, scope);
        }
    }

    private void unpack(List<Target> targets, Object value, Scope scope) {
        if (!Values.isIterable(value)) {
            throw new TemplateError("cannot unpack non-iterable " + Values.type(value) + " object");
        }
        List<Object> items = Values.list(value, budget);
        if (items.size() != targets.size()) {
            throw new TemplateError(
                    items.size() > targets.size()
                            ? "too many values to unpack (expected " + targets.size() + ")"
                            : "not enough values to unpack (expected " + targets.size() + ", got " + items.size()
                                    + ")");
        }
        for (int i = 0; i < targets.size(); i++) {
            assign(targets.get(i), items.get(i), scope);
        }
    }
}
