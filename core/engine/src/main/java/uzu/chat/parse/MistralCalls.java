package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/**
 * Mistral: {@code [TOOL_CALLS][{"name": …, "arguments": {…}, "id": …}, …]}, and since 2025 {@code
 * [TOOL_CALLS]name[CALL_ID]id[ARGS]{…}}, once a call, the identifier being left out at times.
 */
final class MistralCalls implements CallFormat {
    private static final String MARKER = "[TOOL_CALLS]";
    private static final String IDENTIFIER = "[CALL_ID]";
    private static final String ARGUMENTS = "[ARGS]";

    private final boolean named;

    /** @param named whether the model was taught the newer spelling; both are read */
    MistralCalls(boolean named) {
        this.named = named;
    }

    @Override
    public List<String> markers() {
        return List.of(MARKER);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new Choice(marker, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        return named
                ? Syntax.sequence(
                        Syntax.literal(MARKER),
                        Syntax.literal(arguments.name()),
                        Syntax.literal(ARGUMENTS),
                        arguments.json())
                : CallSyntax.object(arguments, "name", "arguments");
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return named
                ? CallSyntax.calls(call, Syntax.literal(""), parallel)
                : Syntax.sequence(
                        Syntax.literal(MARKER),
                        Syntax.literal("["),
                        CallSyntax.calls(call, Syntax.literal(", "), parallel),
                        Syntax.literal("]"));
    }

    @Override
    public Set<String> visible() {
        return Set.of(MARKER, IDENTIFIER, ARGUMENTS);
    }

    // Its templates refuse others.
    @Override
    public Identifiers identifiers(String prompt) {
        return new Identifiers("", 9, prompt);
    }

    /** Which of the two spellings follows is told by the first character. */
    private record Choice(String marker, Part after) implements Part {
        @Override
        public Part read(Input input, Blocks blocks) {
            int spaces = input.spaces(0);
            if (spaces == input.length() && !input.isEnded()) {
                return this;
            }
            boolean json = spaces < input.length() && "[{".indexOf(input.charAt(spaces)) >= 0;
            return json
                    ? new JsonCalls(marker, null, CallKeys.WITH_IDENTIFIER, after)
                    : new HeadCalls(new HeadCalls.Shape("", "", "", MistralCalls::head), marker, after);
        }
    }

    private static @Nullable Head head(String text) {
        String rest = text.strip();
        if (rest.endsWith(ARGUMENTS)) {
            rest = rest.substring(0, rest.length() - ARGUMENTS.length());
        }
        int at = rest.indexOf(IDENTIFIER);
        if (at < 0) {
            return Head.ofName(rest);
        }
        Head named = Head.ofName(rest.substring(0, at));
        return named == null
                ? null
                : new Head(rest.substring(at + IDENTIFIER.length()).strip(), named.name());
    }
}
