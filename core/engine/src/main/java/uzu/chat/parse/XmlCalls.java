package uzu.chat.parse;

import java.util.List;
import java.util.Set;

/**
 * Calls whose parameters have tags of their own. Qwen 3 Coder, Qwen 3.5, Nemotron 3, Step 3.5: {@code <tool_call>
 * <function=name><parameter=key>value</parameter></function></tool_call>}, values on lines of their own; Seed, MiniMax
 * and DeepSeek V3.2 use other tags.
 */
final class XmlCalls implements CallFormat {
    private final String open;
    private final TagCalls.Tags tags;
    private final boolean alone;

    /** @param alone whether a call may stand without the section's tags */
    private XmlCalls(String open, TagCalls.Tags tags, boolean alone) {
        this.open = open;
        this.tags = tags;
        this.alone = alone;
    }

    static XmlCalls qwen() {
        // Qwen 3 Coder often leaves out the outer tag.
        return new XmlCalls("<tool_call>", function("</tool_call>"), true);
    }

    static XmlCalls seed() {
        return new XmlCalls("<seed:tool_call>", function("</seed:tool_call>"), false);
    }

    private static TagCalls.Tags function(String close) {
        return new TagCalls.Tags(
                close, "<function=", ">", "</function>", "<parameter=", List.of(">"), "</parameter>", true);
    }

    static XmlCalls miniMax() {
        return new XmlCalls(
                "<minimax:tool_call>",
                new TagCalls.Tags(
                        "</minimax:tool_call>",
                        "<invoke name=\"",
                        "\">",
                        "</invoke>",
                        "<parameter name=\"",
                        List.of("\">"),
                        "</parameter>",
                        true),
                false);
    }

    static XmlCalls deepSeek(String section) {
        String tag = "｜DSML｜";
        return new XmlCalls(
                "<" + tag + section + ">",
                new TagCalls.Tags(
                        "</" + tag + section + ">",
                        "<" + tag + "invoke name=\"",
                        "\">",
                        "</" + tag + "invoke>",
                        "<" + tag + "parameter name=\"",
                        List.of("\"", ">"),
                        "</" + tag + "parameter>",
                        false),
                false);
    }

    /** GLM 4.5 to 4.7, Laguna, Ling: {@code <tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value>…}. */
    static XmlCalls glm() {
        return new XmlCalls(
                "<tool_call>",
                new TagCalls.Tags(
                        "</tool_call>",
                        "",
                        "",
                        "</tool_call>",
                        "<arg_key>",
                        List.of("</arg_key>", "<arg_value>"),
                        "</arg_value>",
                        false),
                false);
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
    public Set<String> visible() {
        return Set.of(open, tags.close(), tags.keyOpen(), tags.valueClose(), "</arg_key>", "<arg_value>", "｜DSML｜");
    }
}
