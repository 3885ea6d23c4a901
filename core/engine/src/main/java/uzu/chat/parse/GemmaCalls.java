package uzu.chat.parse;

import java.util.List;
import java.util.Map;
import java.util.Set;
import uzu.grammar.CodePoints;
import uzu.grammar.Syntax;

/**
 * FunctionGemma: {@code <start_function_call>call:name{key:<escape>text<escape>,n:1}<end_function_call>}; Gemma 4 writes
 * the same with {@code <|tool_call>}, {@code <|"|>} and {@code <tool_call|>}.
 */
final class GemmaCalls implements CallFormat {
    private final String open;
    private final ScriptCalls.Dialect dialect;

    private GemmaCalls(String open, String quote, String close) {
        this.open = open;
        this.dialect = new ScriptCalls.Dialect("call:", '{', '}', ':', quote, close);
    }

    static GemmaCalls functionGemma() {
        return new GemmaCalls("<start_function_call>", "<escape>", "<end_function_call>");
    }

    static GemmaCalls gemma4() {
        return new GemmaCalls("<|tool_call>", "<|\"|>", "<tool_call|>");
    }

    @Override
    public List<String> markers() {
        return List.of(open);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new ScriptCalls(dialect, after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        List<CallArguments.Parameter> parameters = arguments.parameters();
        List<Syntax> entries = parameters.stream()
                .map(one -> Syntax.sequence(Syntax.literal(one.name() + ":"), value(one, arguments)))
                .toList();
        return Syntax.sequence(
                Syntax.literal(open),
                Syntax.literal("call:" + arguments.name() + "{"),
                CallArguments.commas(parameters, entries, ","),
                Syntax.literal("}"),
                Syntax.literal(dialect.close()));
    }

    /** Lists and objects are what they are in JSON but for their strings, which the grammar leaves to the model. */
    private Syntax value(CallArguments.Parameter parameter, CallArguments arguments) {
        Syntax quote = Syntax.literal(dialect.quote());
        Syntax text = Syntax.sequence(quote, arguments.text(parameter, dialect.quote()), quote);
        if (parameter.type().isText()) {
            return text;
        }
        if (parameter.type().isScalar()) {
            return arguments.json(parameter);
        }
        Syntax string = Syntax.sequence(quote, Syntax.without(dialect.quote()), quote);
        Syntax item = new Syntax.Reference("item");
        Syntax list = bracket(item, '[', ']');
        Syntax object = bracket(item, '{', '}');
        Syntax bare = Syntax.characters(CodePoints.of("<{}[]").not());
        return new Syntax.Rules(
                Map.of("item", Syntax.choice(string, bare, list, object)), Syntax.choice(list, object, string));
    }

    private static Syntax bracket(Syntax inner, char open, char close) {
        return Syntax.sequence(
                Syntax.literal(String.valueOf(open)),
                Syntax.repeat(inner, 0, Syntax.UNBOUNDED),
                Syntax.literal(String.valueOf(close)));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        return CallSyntax.calls(call, Syntax.literal(""), parallel);
    }

    @Override
    public Set<String> visible() {
        return Set.of(open, dialect.quote(), dialect.close());
    }
}
