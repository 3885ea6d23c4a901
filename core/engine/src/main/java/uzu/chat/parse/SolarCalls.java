package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/**
 * Solar Open: a reply is messages, {@code <|think|>…<|end|><|begin|>assistant<|content|>…<|end|>}, or {@code
 * <|tool_calls|><|tool_call:begin|>id<|tool_call:name|>f<|tool_call:args|>{…}<|tool_call:end|><|calls|>}.
 */
final class SolarCalls implements CallFormat {
    private static final String OPEN = "<|tool_calls|>";
    private static final String CLOSE = "<|calls|>";
    private static final String CALL_OPEN = "<|tool_call:begin|>";
    private static final String CALL_CLOSE = "<|tool_call:end|>";
    private static final String NAME = "<|tool_call:name|>";
    private static final String ARGUMENTS = "<|tool_call:args|>";
    private static final String CONTENT = "<|content|>";
    private static final String THINK = "<|think|>";
    private static final String END = "<|end|>";
    private static final String NEXT = "<|begin|>assistant";

    @Override
    public List<String> markers() {
        return List.of(OPEN);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new HeadCalls(new HeadCalls.Shape(CALL_OPEN, CALL_CLOSE, CLOSE, SolarCalls::head), marker, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return Syntax.sequence(
                Syntax.literal(CALL_OPEN),
                Syntax.regex("[a-z0-9]{10}"),
                CallSyntax.marked(NAME + arguments.name() + ARGUMENTS, visible()),
                arguments.json(),
                Syntax.literal(CALL_CLOSE));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return Syntax.sequence(
                Syntax.literal(OPEN),
                CallSyntax.calls(call, Syntax.literal(""), parallel),
                Syntax.optional(Syntax.literal(CLOSE)));
    }

    @Override
    public Syntax answer(Syntax form) {
        return Syntax.sequence(Syntax.optional(Syntax.literal(CONTENT)), form, Syntax.optional(Syntax.literal(END)));
    }

    // Messages of every kind end alike.
    @Override
    public Opening opening(String prompt) {
        return prompt.endsWith(THINK)
                ? Opening.OPEN
                : prompt.endsWith(THINK + END + NEXT) || prompt.endsWith(CONTENT) ? Opening.CLOSED : Opening.FREE;
    }

    @Override
    public Reasoning reasoning() {
        return new Reasoning(THINK, END, END + NEXT, Set.of(NEXT, CONTENT, END));
    }

    @Override
    public Set<String> visible() {
        return Set.of(OPEN, CLOSE, CALL_OPEN, CALL_CLOSE, NAME, ARGUMENTS);
    }

    private static @Nullable Head head(String text) {
        int name = text.indexOf(NAME);
        if (name < 0 || !text.endsWith(ARGUMENTS)) {
            return null;
        }
        Head named = Head.ofName(text.substring(name + NAME.length(), text.length() - ARGUMENTS.length()));
        return named == null ? null : new Head(text.substring(0, name).strip(), named.name());
    }
}
