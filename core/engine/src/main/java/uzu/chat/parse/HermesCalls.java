package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import uzu.grammar.Syntax;

/** Hermes, Qwen 2.5, Qwen 3, Granite 4, Bielik: {@code <tool_call>{"name": …, "arguments": {…}}</tool_call>}. */
final class HermesCalls implements CallFormat {
    private static final String OPEN = "<tool_call>";
    private static final String CLOSE = "</tool_call>";
    // Qwen 2.5 Coder often closes what its declarations opened: the calls stand in the tags of the tools.
    private static final String TOOLS = "<tools>";

    @Override
    public List<String> markers() {
        return List.of(OPEN, TOOLS);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new JsonCalls(marker, marker.equals(TOOLS) ? "</tools>" : CLOSE, CallKeys.USUAL, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return Syntax.sequence(
                Syntax.literal(OPEN),
                Syntax.literal("\n"),
                CallSyntax.object(arguments, "name", "arguments"),
                Syntax.literal("\n"),
                Syntax.literal(CLOSE));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return CallSyntax.calls(call, Syntax.literal("\n"), parallel);
    }

    @Override
    public Set<String> visible() {
        return Set.of(OPEN, CLOSE);
    }

    @Override
    public boolean mayBeBare() {
        return true;
    }

    @Override
    public Syntax bare(CallArguments arguments) {
        return CallSyntax.object(arguments, "name", "arguments");
    }
}
