package uzu.chat.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static uzu.chat.parse.Script.call;
import static uzu.chat.parse.Script.candidate;
import static uzu.chat.parse.Script.reasoning;
import static uzu.chat.parse.Script.text;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Formats of models of 2025 and 2026, as their templates write them. */
class NewerFormatsTest {
    private static MessageFormat format(CallFormat calls) {
        return new TaggedFormat("test", calls.reasoning(), calls);
    }

    @Test
    void kimiK3() {
        MessageFormat kimi = format(new KimiK3Calls());
        String calls = "<|open|>tools<|sep|><|open|>call tool=\"get_weather\" index=\"1\"<|sep|>"
                + "<|open|>argument key=\"city\" type=\"string\"<|sep|>Zürich <b><|close|>argument<|sep|>"
                + "<|open|>argument key=\"days\" type=\"number\"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|>"
                + "<|open|>call tool=\"add\" index=\"2\"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>";
        Script.reply(
                        kimi,
                        "I look.<|close|>think<|sep|><|open|>response<|sep|>One moment.<|close|>response<|sep|>" + calls
                                + "<|close|>message<|sep|>")
                .after("<|open|>message role=\"assistant\"<|sep|><|open|>think<|sep|>")
                .gives(
                        reasoning("I look."),
                        text("One moment."),
                        call("get_weather", "{\"city\": \"Zürich <b>\", \"days\": 3}"),
                        call("add", "{}"));
        Script.reply(kimi, "Hello.<|close|>response<|sep|><|close|>message<|sep|>")
                .after("<|open|>message role=\"assistant\"<|sep|><|open|>response<|sep|>")
                .gives(text("Hello."));
        Script.reply(kimi, "<|open|>tools<|sep|><|open|>call tool=\"add\" index=")
                .after("<|open|>response<|sep|>")
                .gives(candidate("<|open|>tools<|sep|><|open|>call tool=\"add\" index="));
    }

    @Test
    void miniMaxM3() {
        MessageFormat miniMax = format(new MiniMaxM3Calls());
        String m = "]<]minimax[>[";
        Script.reply(
                        miniMax,
                        "<mm:think>Hm.</mm:think>So" + m + "<tool_call>\n" + m + "<invoke name=\"get_weather\">" + m
                                + "<city>42 <x>" + m + "</city>" + m + "<days>3" + m + "</days>" + m + "<extra>" + m
                                + "<a>" + m + "<item>1" + m + "</item>" + m + "<item>b" + m + "</item>" + m + "</a>" + m
                                + "</extra>" + m + "<tags>" + m + "<item>7" + m + "</item>" + m + "</tags>" + m
                                + "</invoke>\n" + m + "<invoke name=\"add\">" + m + "</invoke>\n" + m + "</tool_call>")
                .gives(
                        reasoning("Hm."),
                        text("So"),
                        call(
                                "get_weather",
                                "{\"city\": \"42 <x>\", \"days\": 3, \"extra\": {\"a\": [1, \"b\"]}, \"tags\": [\"7\"]}"),
                        call("add", "{}"));
        Script.reply(miniMax, "</mm:think>Hello").gives(text("Hello"));
        String broken = m + "<tool_call>" + m + "<invoke name=\"add\">" + m + "<a>1" + m + "</b>" + m + "</tool_call>";
        Script.reply(miniMax, broken + "!").gives(candidate(broken), text("!"));
    }

    @Test
    void recipients() {
        MessageFormat functionary = new RecipientFormat();
        Script.reply(functionary, "all\nOne moment.>>>get_weather\n{\"city\": \">>>\"}>>>add\n{\"a\": 1}")
                .after(">>>")
                .gives(text("One moment."), call("get_weather", "{\"city\": \">>>\"}"), call("add", "{\"a\": 1}"));
        Script.reply(functionary, "add\n{\"a\": 1}").after(">>>").gives(call("add", "{\"a\": 1}"));
        Script.reply(functionary, "all\nHello\nall").after(">>>").gives(text("Hello\nall"));
        Script.reply(functionary, "all\nHello").after(">>>").withoutTools().gives(text("Hello"));
        Script.reply(functionary, "allow me\nto ask").after(">>>").gives(text("allow me\nto ask"));
        Script.reply(functionary, "add\n{\"a\": ").after(">>>").gives(candidate(">>>add\n{\"a\": "));
    }

    @Test
    void pythonLists() {
        MessageFormat pythonic = format(PythonicCalls.bare());
        Script.reply(pythonic, "[get_weather(city=\"a]b\", tags=['x']), add(a=1, b=2.5)]")
                .gives(
                        call("get_weather", "{\"city\": \"a]b\", \"tags\": [\"x\"]}"),
                        call("add", "{\"a\": 1, \"b\": 2.5}"));
        Script.reply(pythonic, "[1, 2] is a list").gives(text("[1, 2] is a list"));
        Script.reply(pythonic, "[address(1)]").gives(text("[address(1)]"));
        Script.reply(pythonic, "<|python_start|>[add(a=1)]<|python_end|>").gives(call("add", "{\"a\": 1}"));
        Script.reply(pythonic, "[add(a=1").gives(candidate("[add(a=1"));
        Script.reply(
                        format(PythonicCalls.tagged()),
                        "Sure.\n<function_calls>\nget_weather(city=\"Bern\")\nadd(a=1)\n</function_calls>")
                .gives(text("Sure."), call("get_weather", "{\"city\": \"Bern\"}"), call("add", "{\"a\": 1}"));
    }

    @Test
    void miniCpm() {
        MessageFormat miniCpm = new TaggedFormat("test", Reasoning.THINK, XmlCalls.miniCpm());
        Script.reply(
                        miniCpm,
                        "<think>\nHm\n</think>\n\n<function name=\"get_weather\"><param name=\"city\"><![CDATA[a <b>\n]] &]]></param>"
                                + "<param name=\"days\">3</param></function>\n<function name=\"add\"></function>")
                .gives(
                        reasoning("Hm"),
                        call("get_weather", "{\"city\": \"a <b>\\n]] &\", \"days\": 3}"),
                        call("add", "{}"));
    }

    @Test
    void hunyuan() {
        MessageFormat hunyuan = format(XmlCalls.hunyuan());
        Script.reply(
                        hunyuan,
                        "Hm.</think:opensource>Yes<tool_calls:opensource>\n<tool_call:opensource>get_weather<tool_sep:opensource>\n"
                                + "<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Bern"
                                + "</arg_value:opensource>\n</tool_call:opensource>\n<tool_call:opensource>add<tool_sep:opensource>\n"
                                + "</tool_call:opensource>\n</tool_calls:opensource>")
                .after("<think:opensource>")
                .gives(reasoning("Hm."), text("Yes"), call("get_weather", "{\"city\": \"Bern\"}"), call("add", "{}"));
    }

    @Test
    void solar() {
        MessageFormat solar = format(new SolarCalls());
        Script.reply(
                        solar,
                        "<|think|>Hm.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>add"
                                + "<|tool_call:args|>{\"a\": 1}<|tool_call:end|><|calls|>")
                .after("<|begin|>assistant")
                .gives(reasoning("Hm."), call("a1b2c3d4e5", "add", "{\"a\": 1}"));
        Script.reply(solar, "<|content|>Hello<|end|>")
                .after("<|begin|>assistant")
                .gives(text("Hello"));
        assertEquals(Opening.CLOSED, solar.opening("<|begin|>assistant<|think|><|end|><|begin|>assistant"));
        assertEquals(Opening.FREE, solar.opening("hi<|end|><|begin|>assistant"));
    }

    @Test
    void gigaChat() {
        MessageFormat giga = format(new GigaChatCalls());
        Script.reply(giga, "Sure<|function_call|>{\"name\": \"add\", \"arguments\": {\"a\": 1}}")
                .gives(text("Sure"), call("add", "{\"a\": 1}"));
        Script.reply(giga, "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"add\", \"arguments\": {}}")
                .gives(call("add", "{}"));
    }

    @Test
    void everyFormatCanBeNamed() {
        List<String> names = List.of(
                "kimi-k3",
                "minimax-m3",
                "functionary-v3.2",
                "hunyuan",
                "minicpm",
                "solar",
                "gigachat",
                "olmo3",
                "pythonic");
        for (String name : names) {
            var template = uzu.chat.ChatTemplate.of("{{ messages[0].content }}", "<s>", "</s>");
            assertEquals(
                    name,
                    MessageFormat.named(name, template, new uzu.generate.ToyTokenizer())
                            .name());
        }
    }
}
