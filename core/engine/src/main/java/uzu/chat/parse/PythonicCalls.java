package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/**
 * Calls as a list of Python's: {@code [f(x=1, y="a"), g()]} in place of a text (Llama 4 and 3.2 in their templates for it,
 * ToolACE), or one a line in {@code <function_calls>} (OLMo 3).
 */
final class PythonicCalls implements CallFormat {
    private static final String OPEN = "<function_calls>";
    private static final String CLOSE = "</function_calls>";
    private static final int LONGEST_NAME = 256;

    private final boolean tagged;

    private PythonicCalls(boolean tagged) {
        this.tagged = tagged;
    }

    static PythonicCalls bare() {
        return new PythonicCalls(false);
    }

    static PythonicCalls tagged() {
        return new PythonicCalls(true);
    }

    // A bare list has no mark of its own; models put it between these tokens at times.
    @Override
    public List<String> markers() {
        return List.of(tagged ? OPEN : "<|python_start|>");
    }

    @Override
    public Part calls(String marker, Part after) {
        return new ScriptCalls(ScriptCalls.Dialect.python(tagged ? CLOSE : "<|python_end|>"), after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        List<CallArguments.Parameter> parameters = arguments.parameters();
        List<Syntax> entries = new ArrayList<>();
        for (CallArguments.Parameter one : parameters) {
            entries.add(Syntax.sequence(Syntax.literal(one.name() + "="), arguments.json(one)));
        }
        return Syntax.sequence(
                Syntax.literal(arguments.name() + "("),
                CallArguments.commas(parameters, entries, ", "),
                Syntax.literal(")"));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        String between = tagged ? "\n" : ", ";
        return Syntax.sequence(
                Syntax.literal(tagged ? OPEN : "["),
                CallSyntax.calls(call, Syntax.literal(between), parallel),
                Syntax.literal(tagged ? CLOSE : "]"));
    }

    // A bracket at the start is where calls start, and must not pass for a text.
    @Override
    public Syntax text() {
        Syntax text = new Syntax.Without(markers());
        return tagged ? text : new Syntax.Except(text, Syntax.sequence(Syntax.literal("["), Syntax.without()));
    }

    @Override
    public boolean mayReplaceText() {
        return !tagged;
    }

    @Override
    public @Nullable Part bare(Input input, int spaces, Blocks blocks, FreeText text) {
        if (tagged || spaces == input.length() || input.charAt(spaces) != '[') {
            return null;
        }
        int from = spaces + 1;
        from += input.spaces(from);
        StringBuilder name = new StringBuilder();
        for (int i = from; i < input.length() && input.charAt(i) != '('; i++) {
            name.append(input.charAt(i));
            if (name.length() > LONGEST_NAME || !blocks.tools().isBeginning(name.toString())) {
                return null;
            }
        }
        boolean whole = from + name.length() < input.length();
        if (!whole) {
            return input.isEnded() ? null : text;
        }
        if (!blocks.tools().has(name.toString())) {
            return null;
        }
        blocks.openCall(input.take(spaces + 1));
        return new ScriptCalls(ScriptCalls.Dialect.python("]"), text);
    }

    @Override
    public Set<String> visible() {
        return tagged ? Set.of(OPEN, CLOSE) : Set.of("<|python_start|>", "<|python_end|>");
    }
}
