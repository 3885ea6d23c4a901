package uzu.chat.parse;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.CodePoints;
import uzu.grammar.Syntax;

/** Calls that are a JSON array behind a mark: {@code <mark>[{"name": …, "arguments": {…}}, …]</mark>}. */
record TaggedJsonCalls(String open, @Nullable String close, CallKeys keys) implements CallFormat {
    /** Granite 3: {@code <|tool_call|>[…]}, or with the mark as plain text. */
    static TaggedJsonCalls granite() {
        return new TaggedJsonCalls("<|tool_call|>", null, CallKeys.USUAL);
    }

    /** Phi 4 mini. */
    static TaggedJsonCalls phi() {
        return new TaggedJsonCalls("<|tool_call|>", "<|/tool_call|>", CallKeys.USUAL);
    }

    /** Nemotron Nano v2. */
    static TaggedJsonCalls nemotron() {
        return new TaggedJsonCalls("<TOOLCALL>", "</TOOLCALL>", CallKeys.USUAL);
    }

    /** Apriel, MiniMax M1. */
    static TaggedJsonCalls apriel() {
        return new TaggedJsonCalls("<tool_calls>", "</tool_calls>", CallKeys.WITH_IDENTIFIER);
    }

    /** Apertus: each object has one key, the tool's name. */
    static TaggedJsonCalls apertus() {
        return new TaggedJsonCalls("<|tools_prefix|>", "<|tools_suffix|>", new CallKeys(Set.of(), Set.of(), Set.of()));
    }

    /** Command R7B and A. */
    static TaggedJsonCalls command() {
        return new TaggedJsonCalls(
                "<|START_ACTION|>",
                "<|END_ACTION|>",
                new CallKeys(Set.of("tool_name"), Set.of("parameters"), Set.of("tool_call_id")));
    }

    @Override
    public List<String> markers() {
        return List.of(open);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new JsonCalls(marker, close, keys, after);
    }

    @Override
    public Set<String> visible() {
        return close == null ? Set.of(open) : Set.of(open, close);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        if (keys.name().isEmpty()) {
            return Syntax.sequence(
                    Syntax.literal("{" + JsonText.quoted(arguments.name()) + ": "),
                    arguments.json(),
                    Syntax.literal("}"));
        }
        if (!keys.isName("tool_name")) {
            return CallSyntax.object(arguments, "name", "arguments");
        }
        return Syntax.sequence(
                Syntax.literal("{\"tool_call_id\": \""),
                Syntax.repeat(Syntax.characters(CodePoints.range('0', '9')), 1, 3),
                Syntax.literal("\", \"tool_name\": " + JsonText.quoted(arguments.name()) + ", \"parameters\": "),
                arguments.json(),
                Syntax.literal("}"));
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        Syntax array = Syntax.sequence(
                Syntax.literal(open),
                Syntax.literal("["),
                CallSyntax.calls(call, Syntax.literal(", "), parallel),
                Syntax.literal("]"));
        return close == null ? array : Syntax.sequence(array, Syntax.literal(close));
    }
}
