package uzu.chat.parse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.grammar.Syntax;

/**
 * Calls whose parameters have tags of their own. Qwen 3 Coder, Qwen 3.5, Nemotron 3, Step 3.5: {@code <tool_call>
 * <function=name><parameter=key>value</parameter></function></tool_call>}, values on lines of their own; Seed, MiniMax
 * and DeepSeek V3.2 use other tags.
 */
final class XmlCalls implements CallFormat {
    private static final String DSML = "｜DSML｜";

    private final String open;
    private final TagCalls.Tags tags;
    private final boolean alone;
    private final String line;
    private final String valueLine;

    /**
     * @param alone whether each call has a section of its own, whose tags may be missing
     * @param line what models write between tags
     * @param valueLine what they write around values
     */
    private XmlCalls(String open, TagCalls.Tags tags, boolean alone, String line, String valueLine) {
        this.open = open;
        this.tags = tags;
        this.alone = alone;
        this.line = line;
        this.valueLine = valueLine;
    }

    static XmlCalls qwen() {
        // Qwen 3 Coder often leaves out the outer tag.
        return new XmlCalls("<tool_call>", function("</tool_call>"), true, "\n", "\n");
    }

    static XmlCalls seed() {
        return new XmlCalls("<seed:tool_call>", function("</seed:tool_call>"), false, "\n", "");
    }

    private static TagCalls.Tags function(String close) {
        return new TagCalls.Tags(
                close,
                "<function=",
                List.of(">"),
                "</function>",
                "<parameter=",
                List.of(">"),
                "</parameter>",
                true,
                false);
    }

    static XmlCalls miniMax() {
        return new XmlCalls(
                "<minimax:tool_call>",
                new TagCalls.Tags(
                        "</minimax:tool_call>",
                        "<invoke name=\"",
                        List.of("\">"),
                        "</invoke>",
                        "<parameter name=\"",
                        List.of("\">"),
                        "</parameter>",
                        true,
                        false),
                false,
                "\n",
                "");
    }

    static XmlCalls deepSeek(String section) {
        String tag = DSML;
        return new XmlCalls(
                "<" + tag + section + ">",
                new TagCalls.Tags(
                        "</" + tag + section + ">",
                        "<" + tag + "invoke name=\"",
                        List.of("\">"),
                        "</" + tag + "invoke>",
                        "<" + tag + "parameter name=\"",
                        List.of("\"", ">"),
                        "</" + tag + "parameter>",
                        false,
                        false),
                false,
                "\n",
                "");
    }

    /** GLM 4.5 to 4.7, Laguna, Ling: {@code <tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value>…}. */
    static XmlCalls glm() {
        return new XmlCalls(
                "<tool_call>",
                new TagCalls.Tags(
                        "</tool_call>",
                        "",
                        List.of(),
                        "</tool_call>",
                        "<arg_key>",
                        List.of("</arg_key>", "<arg_value>"),
                        "</arg_value>",
                        false,
                        false),
                false,
                "\n",
                "");
    }

    /** Hunyuan 3: {@code <tool_call:x>name<tool_sep:x><arg_key:x>key</arg_key:x><arg_value:x>value</arg_value:x>…}. */
    static XmlCalls hunyuan() {
        return new XmlCalls(
                "<tool_calls:opensource>",
                new TagCalls.Tags(
                        "</tool_calls:opensource>",
                        "<tool_call:opensource>",
                        List.of("<tool_sep:opensource>"),
                        "</tool_call:opensource>",
                        "<arg_key:opensource>",
                        List.of("</arg_key:opensource>", "<arg_value:opensource>"),
                        "</arg_value:opensource>",
                        false,
                        false),
                false,
                "\n",
                "");
    }

    /** MiniCPM 5: {@code <function name="f"><param name="k">v</param></function>}, once a call. */
    static XmlCalls miniCpm() {
        return new XmlCalls(
                "<function name=\"",
                new TagCalls.Tags(
                        "</function>",
                        "",
                        List.of("\">"),
                        "</function>",
                        "<param name=\"",
                        List.of("\">"),
                        "</param>",
                        false,
                        true),
                false,
                "",
                "");
    }

    @Override
    public List<String> markers() {
        return alone ? List.of(open, tags.callOpen()) : List.of(open);
    }

    @Override
    public Part calls(String marker, Part after) {
        return new TagCalls(tags, !marker.equals(open), after);
    }

    @Override
    public Syntax call(CallArguments arguments) {
        List<Syntax> parts = new ArrayList<>();
        parts.add(marked(tags.callOpen() + arguments.name() + String.join("", tags.nameEnd()) + line));
        for (CallArguments.Parameter parameter : arguments.parameters()) {
            Syntax entry = Syntax.sequence(
                    marked(tags.keyOpen() + parameter.name() + between(parameter) + valueLine),
                    arguments.text(parameter, tags.valueClose()),
                    marked(valueLine + tags.valueClose() + line));
            parts.add(parameter.required() ? entry : Syntax.optional(entry));
        }
        if (!tags.callClose().equals(tags.close())) {
            parts.add(marked(tags.callClose() + line));
        }
        return new Syntax.Sequence(parts);
    }

    /** From a key to its value. */
    private String between(CallArguments.Parameter parameter) {
        if (open.contains(DSML)) {
            return "\" string=\"" + parameter.type().isText() + "\">";
        }
        return String.join(line, tags.keyEnd());
    }

    private Syntax marked(String text) {
        return CallSyntax.marked(text, visible());
    }

    @Override
    public Syntax section(Syntax call, boolean parallel) {
        boolean each = tags.callOpen().isEmpty() || alone;
        Syntax one = each ? sectionOf(call) : CallSyntax.calls(call, Syntax.literal(""), parallel);
        return each ? CallSyntax.calls(one, marked(line), parallel) : sectionOf(one);
    }

    private Syntax sectionOf(Syntax calls) {
        return Syntax.sequence(marked(tags.callOpen().isEmpty() ? open : open + line), calls, marked(tags.close()));
    }

    @Override
    public @Nullable Reasoning reasoning() {
        // MiniMax M2's template has <response> around results: not Granite's tag around answers.
        return open.startsWith("<minimax:")
                ? Reasoning.THINK
                : open.endsWith(":opensource>") ? Reasoning.tags("<think:opensource>", "</think:opensource>") : null;
    }

    @Override
    public Set<String> visible() {
        Set<String> visible = new HashSet<>(tags.words());
        visible.add(open);
        visible.add(DSML);
        return visible;
    }
}
