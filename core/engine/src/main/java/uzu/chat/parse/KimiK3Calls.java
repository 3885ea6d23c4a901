package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/**
 * Kimi K3: a reply is parts in tags of three tokens, {@code <|open|>response<|sep|>…<|close|>response<|sep|>}, and behind
 * the answer's {@code <|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="k"
 * type="string"<|sep|>v<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>}.
 */
final class KimiK3Calls implements CallFormat {
    private static final String TOOLS = open("tools");
    private static final String ANSWER = open("response");
    private static final String ANSWER_END = close("response");
    private static final TagCalls.Tags TAGS = new TagCalls.Tags(
            close("tools"),
            "<|open|>call tool=\"",
            List.of("\"", "<|sep|>"),
            close("call"),
            "<|open|>argument key=\"",
            List.of("\"", "<|sep|>"),
            close("argument"),
            false,
            false);

    private static String open(String tag) {
        return "<|open|>" + tag + "<|sep|>";
    }

    private static String close(String tag) {
        return "<|close|>" + tag + "<|sep|>";
    }

    @Override
    public List<String> markers() {
        return List.of(TOOLS);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new TagCalls(TAGS, false, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        List<Syntax> parts = new ArrayList<>();
        parts.add(marked("<|open|>call tool=\"" + arguments.name() + "\" index=\""));
        parts.add(Syntax.regex("[1-9][0-9]?"));
        parts.add(marked("\"<|sep|>"));
        for (CallArguments.Parameter parameter : arguments.parameters()) {
            String type = parameter.type().isText() ? "string" : "json";
            Syntax entry = Syntax.sequence(
                    marked("<|open|>argument key=\"" + parameter.name() + "\" type=\"" + type + "\"<|sep|>"),
                    arguments.text(parameter, close("argument")),
                    marked(close("argument")));
            parts.add(parameter.required() ? entry : Syntax.optional(entry));
        }
        parts.add(marked(close("call")));
        return new Syntax.Sequence(parts);
    }

    // Its template writes an answer before the calls, here an empty one.
    @Override
    public Syntax section(Syntax call, boolean parallel) {
        Syntax calls = Syntax.sequence(
                marked(TOOLS), CallSyntax.calls(call, Syntax.literal(""), parallel), marked(close("tools")));
        Syntax answer = Syntax.sequence(Syntax.optional(marked(ANSWER)), marked(ANSWER_END));
        return Syntax.sequence(Syntax.optional(answer), calls);
    }

    @Override
    public Syntax answer(Syntax form) {
        return Syntax.sequence(
                Syntax.optional(marked(ANSWER)),
                form,
                Syntax.optional(marked(ANSWER_END)),
                Syntax.optional(marked(close("message"))));
    }

    @Override
    public @Nullable Opening opening(String prompt) {
        return prompt.endsWith(ANSWER) ? Opening.CLOSED : null;
    }

    @Override
    public Reasoning reasoning() {
        return new Reasoning(
                open("think"), close("think"), close("think") + ANSWER, Set.of(ANSWER, ANSWER_END, close("message")));
    }

    @Override
    public Set<String> visible() {
        return Set.of("<|open|>", "<|close|>", "<|sep|>");
    }

    private Syntax marked(String text) {
        return CallSyntax.marked(text, visible());
    }
}
