package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.CodePoints;
import uzu.grammar.Syntax;

/**
 * Kimi K2: {@code <|tool_calls_section_begin|><|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}
 * <|tool_call_end|><|tool_calls_section_end|>}. What stands before the arguments is the call's identifier.
 */
final class KimiCalls implements CallFormat {
    private static final String OPEN = "<|tool_calls_section_begin|>";
    private static final String CLOSE = "<|tool_calls_section_end|>";
    private static final String CALL_OPEN = "<|tool_call_begin|>";
    private static final String CALL_CLOSE = "<|tool_call_end|>";
    private static final String ARGUMENTS = "<|tool_call_argument_begin|>";
    private static final String PREFIX = "functions.";

    @Override
    public List<String> markers() {
        return List.of(OPEN);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new HeadCalls(new HeadCalls.Shape(CALL_OPEN, CALL_CLOSE, CLOSE, KimiCalls::head), marker, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return Syntax.sequence(
                CallSyntax.marked(CALL_OPEN + PREFIX + arguments.name() + ":", visible()),
                Syntax.repeat(Syntax.characters(CodePoints.range('0', '9')), 1, 3),
                Syntax.literal(ARGUMENTS),
                arguments.json(),
                Syntax.literal(CALL_CLOSE));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return Syntax.sequence(
                Syntax.literal(OPEN), CallSyntax.calls(call, Syntax.literal(""), parallel), Syntax.literal(CLOSE));
    }

    @Override
    public Set<String> visible() {
        return Set.of(OPEN, CLOSE, CALL_OPEN, CALL_CLOSE, ARGUMENTS);
    }

    @Override
    public boolean endsReasoning() {
        return true;
    }

    private static @Nullable Head head(String text) {
        String identifier = text.replace(ARGUMENTS, "").strip();
        String name = identifier.startsWith(PREFIX) ? identifier.substring(PREFIX.length()) : identifier;
        int colon = name.lastIndexOf(':');
        Head named = Head.ofName(colon < 0 ? name : name.substring(0, colon));
        return named == null ? null : new Head(identifier, named.name());
    }
}
