package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import uzu.grammar.Syntax;

/** LFM 2: {@code <|tool_call_start|>[f(x=1, y="a"), g()]<|tool_call_end|>}, in Python's spelling, or as JSON if asked. */
final class Lfm2Calls implements CallFormat {
    static final String OPEN = "<|tool_call_start|>";
    static final String CLOSE = "<|tool_call_end|>";

    @Override
    public List<String> markers() {
        return List.of(OPEN);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new Start(after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        List<CallArguments.Parameter> parameters = arguments.parameters();
        List<Syntax> entries = parameters.stream()
                .map(one -> Syntax.sequence(Syntax.literal(one.name() + "="), arguments.json(one)))
                .toList();
        return Syntax.sequence(
                Syntax.literal(arguments.name() + "("),
                CallArguments.commas(parameters, entries, ", "),
                Syntax.literal(")"));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return Syntax.sequence(
                Syntax.literal(OPEN),
                Syntax.literal("["),
                CallSyntax.calls(call, Syntax.literal(", "), parallel),
                Syntax.literal("]"),
                Syntax.literal(CLOSE));
    }

    @Override
    public Set<String> visible() {
        return Set.of(OPEN, CLOSE);
    }

    /** Which spelling it is, is seen behind the bracket. */
    private record Start(Part after) implements Part {
        @Override
        public Part read(Input input, Blocks blocks) {
            int at = input.spaces(0);
            if (at < input.length() && input.charAt(at) == '[') {
                at++;
                at += input.spaces(at);
            }
            if (at == input.length() && !input.isEnded()) {
                return this;
            }
            return at < input.length() && input.charAt(at) == '{'
                    ? new JsonCalls(OPEN, CLOSE, CallKeys.USUAL, after)
                    : new ScriptCalls(ScriptCalls.Dialect.python(CLOSE), after);
        }
    }
}
