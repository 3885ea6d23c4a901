package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import uzu.grammar.Syntax;

/**
 * GigaChat 3: one call, {@code {"name": …, "arguments": {…}}}, behind {@code <|function_call|>} (3.1) or in a message of
 * the role {@code function call} (3.0).
 */
final class GigaChatCalls implements CallFormat {
    private static final String OPEN = "<|function_call|>";
    private static final String ROLE = "function call<|role_sep|>";

    @Override
    public List<String> markers() {
        return List.of(OPEN, "<|message_sep|>\n\n" + ROLE, ROLE);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new JsonCalls(marker, null, CallKeys.USUAL, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return CallSyntax.object(arguments, "name", "arguments");
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        Syntax open = Syntax.choice(
                Syntax.literal(OPEN),
                Syntax.sequence(
                        Syntax.optional(CallSyntax.marked("<|message_sep|>\n\n", visible())),
                        CallSyntax.marked(ROLE + "\n", visible())));
        return CallSyntax.calls(Syntax.sequence(open, call), Syntax.literal(""), parallel);
    }

    @Override
    public Set<String> visible() {
        return Set.of(OPEN, "<|role_sep|>", "<|message_sep|>");
    }
}
