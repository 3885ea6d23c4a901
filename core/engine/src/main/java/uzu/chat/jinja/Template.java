package uzu.chat.jinja;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import uzu.UzuException;

/** A parsed template. Immutable and usable from any thread. */
public final class Template {
    static {
        loadTables();
    }

    private final List<Statement> statements;
    private final Limits limits;

    private Template(List<Statement> statements, Limits limits) {
        this.statements = statements;
        this.limits = limits;
    }

    /** @throws UzuException.TemplateFailed if it isn't one, or nests too deep */
    public static Template parse(String source, Limits limits) {
        try {
            return new Template(Parser.parse(source, limits), limits);
        } catch (TemplateError error) {
            throw failure(error, error.line(), error);
        } catch (StackOverflowError error) {
            throw failure(TemplateError.limit("nesting", limits.nesting()), 0, error);
        }
    }

    /**
     * @param variables strings, numbers, booleans, nulls, and lists and string-keyed maps of such
     * @param clock for {@code strftime_now}, in its zone
     * @throws UzuException.TemplateFailed where the template fails, raises, or exceeds a limit
     */
    public String render(Map<String, ?> variables, Clock clock) {
        var budget = new Budget(limits);
        try {
            var runtime = new Runtime(budget, clock);
            var globals = new Scope(null);
            Globals.define(globals, runtime);
            variables.forEach((name, value) -> globals.set(name, Import.value(value, name)));
            return new Executor(runtime).rendered(statements, new Scope(globals));
        } catch (TemplateError error) {
            throw failure(error, error.line() > 0 ? error.line() : budget.line(), error);
        } catch (StackOverflowError error) {
            // The limit on depth is for a thread's usual stack; a caller may have used up most of it.
            throw failure(TemplateError.limit("depth", limits.depth()), budget.line(), error);
        }
    }

    private static UzuException.TemplateFailed failure(TemplateError error, int line, Throwable cause) {
        var details = new HashMap<String, String>();
        details.put("line", Integer.toString(line));
        details.put("reason", error.text());
        if (error.limit() != null) {
            details.put("limit", error.limit());
        }
        return new UzuException.TemplateFailed(
                "The chat template fails at line " + line + ": " + error.text(), details, cause);
    }

    // A stack overflow inside a static initializer spoils its class for good, so none may run deep inside a render.
    private static void loadTables() {
        var budget = new Budget(Limits.DEFAULT);
        boolean complete = Filters.exists("tojson")
                && Tests.exists("none")
                && StringMethods.of("", "strip", budget) != null
                && !new Dict().contains(Representation.repr(0.5, budget));
        if (!complete) {
            throw new IllegalStateException("the tables of filters, tests and methods are incomplete");
        }
    }
}
