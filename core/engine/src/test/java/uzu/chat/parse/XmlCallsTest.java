package uzu.chat.parse;

import static uzu.chat.parse.Script.call;
import static uzu.chat.parse.Script.candidate;
import static uzu.chat.parse.Script.reasoning;
import static uzu.chat.parse.Script.text;

import org.junit.jupiter.api.Test;

class XmlCallsTest {
    private static final MessageFormat QWEN = new TaggedFormat("test", Reasoning.THINK, XmlCalls.qwen());
    private static final MessageFormat GLM = new TaggedFormat("test", Reasoning.THINK, XmlCalls.glm());

    @Test
    void typesComeFromTheSchema() {
        Script.reply(QWEN, """
                        I look it up.

                        <tool_call>
                        <function=get_weather>
                        <parameter=city>
                        42
                        </parameter>
                        <parameter=days>
                        3
                        </parameter>
                        <parameter=detailed>
                        True
                        </parameter>
                        <parameter=extra>
                        {"a": [1, 2.50, null]}
                        </parameter>
                        <parameter=tags>
                        ['x', "y"]
                        </parameter>
                        <parameter=note>
                        null
                        </parameter>
                        </function>
                        </tool_call>
                        <tool_call>
                        <function=add>
                        </function>
                        </tool_call>""")
                .gives(
                        text("I look it up."),
                        call(
                                "get_weather",
                                "{\"city\": \"42\", \"days\": 3, \"detailed\": true, \"extra\": {\"a\": [1, 2.50, null]}, "
                                        + "\"tags\": [\"x\", \"y\"], \"note\": null}"),
                        call("add", "{}"));
    }

    @Test
    void textsSurvive() {
        Script.reply(
                        QWEN,
                        "<tool_call>\n<function=get_weather>\n<parameter=city>\n\n \"a\" \\ 'b'\n<parameter=x>\ny\n</parameter>"
                                + " </function >\n<b>é</b>\n\n</parameter>\n</function>\n</tool_call>")
                .gives(
                        call(
                                "get_weather",
                                "{\"city\": \"\\n \\\"a\\\" \\\\ 'b'\\n<parameter=x>\\ny\\n</parameter> </function >\\n<b>é</b>\\n\"}"));
        Script.reply(QWEN, "<tool_call><function=get_weather><parameter=city></parameter></function></tool_call>")
                .gives(call("get_weather", "{\"city\": \"\"}"));
    }

    @Test
    void whatDoesNotFitItsTypeStaysText() {
        Script.reply(
                        QWEN,
                        "<tool_call>\n<function=get_weather>\n<parameter=days>\nthree\n</parameter>\n<parameter=other>\n[1, 2]\n"
                                + "</parameter>\n<parameter=more>\nword\n</parameter>\n</function>\n</tool_call>")
                .gives(call("get_weather", "{\"days\": \"three\", \"other\": [1, 2], \"more\": \"word\"}"));
    }

    @Test
    void callsWithoutTheOuterTag() {
        Script.reply(QWEN, "So:\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>\nDone")
                .gives(text("So:"), call("add", "{\"a\": 1}"), text("Done"));
        Script.reply(QWEN, "<function=add></function> Done").gives(call("add", "{}"), text("Done"));
    }

    @Test
    void callsThatAreCutShort() {
        Script.reply(QWEN, "<think>\na\n</think>\n\n<tool_call>\n<function=add>\n<parameter=a>\n1\n</para")
                .gives(reasoning("a"), candidate("<tool_call>\n<function=add>\n<parameter=a>\n1\n</para"));
        Script.reply(QWEN, "<tool_call>\nadd(1)\n</tool_call>b")
                .gives(candidate("<tool_call>\nadd(1)\n</tool_call>"), text("b"));
        Script.reply(QWEN, "<tool_call>\n<function=add>\n<parameter=a")
                .gives(candidate("<tool_call>\n<function=add>\n<parameter=a"));
    }

    @Test
    void glm() {
        Script.reply(
                        GLM,
                        "\n<think>Hm</think>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>a\n</arg_value> b</arg_value>\n"
                                + "<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>\n<tool_call>add</tool_call>")
                .gives(
                        reasoning("Hm"),
                        call("get_weather", "{\"city\": \"a\\n</arg_value> b\", \"days\": 3}"),
                        call("add", "{}"));
        Script.reply(GLM, "<tool_call>get_weather<arg_key>city</arg_key><arg_value>x</arg_value></tool_call>")
                .after("<|assistant|></think>")
                .gives(call("get_weather", "{\"city\": \"x\"}"));
    }

    @Test
    void seedMiniMaxAndDeepSeek() {
        Script.reply(
                        new TaggedFormat("test", Reasoning.tags("<seed:think>", "</seed:think>"), XmlCalls.seed()),
                        "<seed:think>x</seed:think><seed:tool_call>\n<function=add>\n<parameter=a>1</parameter>\n</function>\n"
                                + "</seed:tool_call>")
                .gives(reasoning("x"), call("add", "{\"a\": 1}"));
        Script.reply(
                        new TaggedFormat("test", Reasoning.THINK, XmlCalls.miniMax()),
                        "<minimax:tool_call>\n<invoke name=\"add\">\n<parameter name=\"a\">1</parameter>\n</invoke>\n<invoke "
                                + "name=\"get_weather\">\n<parameter name=\"city\">Rome</parameter>\n</invoke>\n</minimax:tool_call>")
                .gives(call("add", "{\"a\": 1}"), call("get_weather", "{\"city\": \"Rome\"}"));
        Script.reply(
                        new TaggedFormat("test", Reasoning.THINK, XmlCalls.deepSeek("function_calls")),
                        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"note\" "
                                + "string=\"true\">null</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">2"
                                + "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>")
                .gives(call("get_weather", "{\"note\": \"null\", \"days\": 2}"));
    }
}
