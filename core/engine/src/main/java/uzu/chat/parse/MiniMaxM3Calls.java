package uzu.chat.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import uzu.grammar.Syntax;

/**
 * MiniMax M3: every tag stands behind a token of its own, {@code ]<]minimax[>[}, and parameters are elements that may
 * nest: {@code <tool_call><invoke name="f"><k>v</k><list><item>1</item></list></invoke></tool_call>}.
 */
final class MiniMaxM3Calls implements CallFormat {
    static final String MARK = "]<]minimax[>[";
    private static final String OPEN = MARK + "<tool_call>";
    private static final String CLOSE = MARK + "</tool_call>";
    private static final String CALL_OPEN = MARK + "<invoke name=\"";
    private static final String CALL_CLOSE = MARK + "</invoke>";
    private static final int DEEPEST = 8;

    @Override
    public List<String> markers() {
        return List.of(OPEN);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new ElementCalls(MARK, CLOSE, CALL_OPEN, CALL_CLOSE, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        List<Syntax> parts = new ArrayList<>();
        parts.add(marked(CALL_OPEN + arguments.name() + "\">"));
        for (CallArguments.Parameter parameter : arguments.parameters()) {
            parts.add(element(arguments, parameter, 0));
        }
        parts.add(marked(CALL_CLOSE + "\n"));
        return new Syntax.Sequence(parts);
    }

    private static Syntax element(CallArguments arguments, CallArguments.Parameter parameter, int depth) {
        Syntax element = Syntax.sequence(
                marked(MARK + "<" + parameter.name() + ">"),
                value(arguments, parameter, depth),
                marked(MARK + "</" + parameter.name() + ">"));
        return parameter.required() ? element : Syntax.optional(element);
    }

    private static Syntax value(CallArguments arguments, CallArguments.Parameter parameter, int depth) {
        JsonNode schema = arguments.resolved(parameter.schema());
        if (depth == DEEPEST) {
            return Syntax.without(MARK);
        }
        if (schema.path("items").isObject()) {
            CallArguments.Parameter item = arguments.nested("item", true, schema.get("items"));
            return Syntax.repeat(element(arguments, item, depth + 1), 0, Syntax.UNBOUNDED);
        }
        if (schema.path("properties").isObject()) {
            List<Syntax> parts = new ArrayList<>();
            for (CallArguments.Parameter inner : arguments.properties(schema)) {
                parts.add(element(arguments, inner, depth + 1));
            }
            return new Syntax.Sequence(parts);
        }
        return parameter.type().isScalar() || schema.has("enum")
                ? arguments.text(parameter, MARK)
                : Syntax.without(MARK);
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return Syntax.sequence(
                marked(OPEN + "\n"), CallSyntax.calls(call, Syntax.literal(""), parallel), marked(CLOSE));
    }

    private static Syntax marked(String text) {
        return CallSyntax.marked(text, List.of(MARK));
    }

    // Where it doesn't think the model starts with the closing tag.
    @Override
    public Reasoning reasoning() {
        return new Reasoning("<mm:think>", "</mm:think>", "</mm:think>", Set.of("</mm:think>"));
    }

    @Override
    public Set<String> visible() {
        return Set.of(MARK, "<tool_call>", "</tool_call>");
    }
}
