package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import uzu.grammar.Syntax;

/** Functionary 3.1: {@code <function=name>{…}</function>}, or Python behind {@code <|python_tag|>}. */
final class FunctionaryCalls implements CallFormat {
    private static final String OPEN = "<function=";
    private static final String CLOSE = "</function>";

    private final LlamaCalls python = new LlamaCalls();

    @Override
    public List<String> markers() {
        return List.of(OPEN, LlamaCalls.MARKER);
    }

    @Override
    public Part calls(String marker, Part after) {
        return marker.equals(OPEN)
                ? new HeadCalls(
                        new HeadCalls.Shape(
                                "", CLOSE, "", text -> Head.ofName(text.strip().replace(">", ""))),
                        marker,
                        after)
                : python.calls(marker, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return Syntax.sequence(Syntax.literal(OPEN + arguments.name() + ">"), arguments.json(), Syntax.literal(CLOSE));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return CallSyntax.calls(call, Syntax.literal(""), parallel);
    }

    @Override
    public Set<String> visible() {
        return Set.of(LlamaCalls.MARKER);
    }
}
