package uzu.chat.parse;

import static uzu.chat.parse.Script.call;
import static uzu.chat.parse.Script.candidate;
import static uzu.chat.parse.Script.reasoning;
import static uzu.chat.parse.Script.text;

import java.util.Set;
import org.junit.jupiter.api.Test;

class CallFormatsTest {
    private static MessageFormat format(CallFormat calls) {
        return new TaggedFormat("test", null, calls);
    }

    private static MessageFormat thinking(CallFormat calls) {
        return new TaggedFormat("test", Reasoning.THINK, calls);
    }

    @Test
    void mistralArray() {
        MessageFormat mistral = format(new MistralCalls(true));
        Script.reply(
                        mistral,
                        "Sure.[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}, \"id\": \"abc123XYZ\"},"
                                + " {\"id\": \"123456789\", \"name\": \"add\", \"arguments\": {\"a\": 1, \"b\": [2]}}]")
                .gives(
                        text("Sure."),
                        call("abc123XYZ", "get_weather", "{\"city\": \"Oslo\"}"),
                        call("123456789", "add", "{\"a\": 1, \"b\": [2]}"));
        Script.reply(mistral, "[TOOL_CALLS][{\"name\": \"add\", \"arguments\": {}}] and")
                .gives(call("add", "{}"), text("and"));
        Script.reply(mistral, "[TOOL_CALLS][{\"name\": \"add\"").gives(candidate("[TOOL_CALLS][{\"name\": \"add\""));
    }

    @Test
    void mistralNameAndArguments() {
        MessageFormat mistral = format(new MistralCalls(true));
        Script.reply(
                        mistral,
                        "[TOOL_CALLS]get_weather[CALL_ID]abc123XYZ[ARGS]{\"city\": \"[ARGS]\"}[TOOL_CALLS]add[ARGS]{\"a\": 1}")
                .gives(call("abc123XYZ", "get_weather", "{\"city\": \"[ARGS]\"}"), call("add", "{\"a\": 1}"));
        Script.reply(mistral, "[TOOL_CALLS]get_weather[ARGS]{\"city\": 3,,}")
                .gives(candidate("[TOOL_CALLS]get_weather[ARGS]{\"city\": 3,,}"));
        Script.reply(mistral, "Hm [TOOL_CALLS]what?").gives(text("Hm"), candidate("[TOOL_CALLS]what?"));
    }

    @Test
    void mistralThinks() {
        MessageFormat mistral = new TaggedFormat("test", Reasoning.tags("[THINK]", "[/THINK]"), new MistralCalls(true));
        Script.reply(mistral, "[THINK]So [x].[/THINK]Yes[TOOL_CALLS]add[ARGS]{}")
                .gives(reasoning("So [x]."), text("Yes"), call("add", "{}"));
    }

    @Test
    void deepSeek() {
        MessageFormat deepSeek = thinking(new DeepSeekCalls(true));
        Script.reply(
                        deepSeek,
                        "Fine.\n</think>\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n"
                                + "```json\n{\"city\": \"北京 ```\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function"
                                + "<｜tool▁sep｜>add\n```json\n{\"a\": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>")
                .after("<｜Assistant｜><think>\n")
                .gives(reasoning("Fine."), call("get_weather", "{\"city\": \"北京 ```\"}"), call("add", "{\"a\": 1}"));
        Script.reply(
                        deepSeek,
                        "Hm<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"a\": 1}<｜tool▁call▁end｜>"
                                + "<｜tool▁call▁begin｜>f<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>\nok")
                .after("<｜Assistant｜></think>")
                .gives(text("Hm"), call("add", "{\"a\": 1}"), call("f", "{}"), text("ok"));
        Script.reply(deepSeek, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>nothing<｜tool▁call▁end｜><｜tool▁calls▁end｜>!")
                .gives(candidate("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>nothing<｜tool▁call▁end｜>"), text("!"));
        Script.reply(deepSeek, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"a\": ")
                .gives(candidate("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"a\": "));
    }

    @Test
    void kimi() {
        Script.reply(
                        thinking(new KimiCalls()),
                        "I look <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0"
                                + "<|tool_call_argument_begin|>{\"city\": \"Rome\"}<|tool_call_end|><|tool_call_begin|>"
                                + "functions.add:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>")
                .after("<think>")
                .gives(
                        reasoning("I look"),
                        call("functions.get_weather:0", "get_weather", "{\"city\": \"Rome\"}"),
                        call("functions.add:1", "add", "{}"));
    }

    @Test
    void llama() {
        MessageFormat llama = format(new LlamaCalls());
        Script.reply(
                        llama,
                        "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\"}}; {\"name\": \"add\", \"parameters\": {}}")
                .gives(call("get_weather", "{\"city\": \"Oslo\"}"), call("add", "{}"));
        Script.reply(llama, "<|python_tag|>{\"name\": \"add\", \"parameters\": {\"a\": 1}}")
                .gives(call("add", "{\"a\": 1}"));
        Script.reply(llama, "<|python_tag|>brave_search.call(query=\"a, (b)\\n\", count=3)")
                .gives(call("brave_search", "{\"query\": \"a, (b)\\n\", \"count\": 3}"));
        Script.reply(llama, "<|python_tag|>add(1, b=2.5)").gives(call("add", "{\"a\": 1, \"b\": 2.5}"));
        Script.reply(llama, "<|python_tag|>print(\"hi\")").gives(candidate("<|python_tag|>print(\"hi\")"));
        Script.reply(llama, "{\"answer\": 3} or so").gives(text("{\"answer\": 3} or so"));
        Script.reply(llama, "Text {\"name\": \"add\", \"parameters\": {}}")
                .gives(text("Text {\"name\": \"add\", \"parameters\": {}}"));
    }

    @Test
    void lfm2() {
        MessageFormat lfm2 = format(new Lfm2Calls());
        Script.reply(
                        lfm2,
                        "Looking.<|tool_call_start|>[get_weather(city=\"Zürich, 'CH' (\\\"x\\\")]\", days=3, detailed=True, "
                                + "extra={'a': [1, None]}, tags=['x', \"y\"]), add(a=1, b=-.5), f()]<|tool_call_end|>Done")
                .gives(
                        text("Looking."),
                        call(
                                "get_weather",
                                "{\"city\": \"Zürich, 'CH' (\\\"x\\\")]\", \"days\": 3, \"detailed\": true, "
                                        + "\"extra\": {\"a\": [1, null]}, \"tags\": [\"x\", \"y\"]}"),
                        call("add", "{\"a\": 1, \"b\": -0.5}"),
                        call("f", "{}"),
                        text("Done"));
        Script.reply(lfm2, "<|tool_call_start|>[{\"name\": \"add\", \"arguments\": {\"a\": 1}}]<|tool_call_end|>")
                .gives(call("add", "{\"a\": 1}"));
        Script.reply(lfm2, "<|tool_call_start|>[add(a=x+1)]<|tool_call_end|>.")
                .gives(candidate("<|tool_call_start|>[add(a=x+1)]<|tool_call_end|>"), text("."));
        Script.reply(lfm2, "<|tool_call_start|>[add(a=1, b=").gives(candidate("<|tool_call_start|>[add(a=1, b="));
    }

    @Test
    void functionGemma() {
        MessageFormat gemma = format(GemmaCalls.functionGemma());
        Script.reply(
                        gemma,
                        "<start_function_call>call:get_weather{city:<escape>A, {b}: \"c\"<escape>,days:3,detailed:true,"
                                + "extra:{x:<escape>y<escape>,z:[1,null]},tags:[<escape>a<escape>,<escape>b<escape>]}"
                                + "<end_function_call><start_function_call>call:add{}<end_function_call>")
                .gives(
                        call(
                                "get_weather",
                                "{\"city\": \"A, {b}: \\\"c\\\"\", \"days\": 3, \"detailed\": true, \"extra\": "
                                        + "{\"x\": \"y\", \"z\": [1, null]}, \"tags\": [\"a\", \"b\"]}"),
                        call("add", "{}"));
        Script.reply(gemma, "<start_function_call>call me<end_function_call>")
                .gives(candidate("<start_function_call>call me<end_function_call>"));
    }

    @Test
    void gemma4() {
        MessageFormat gemma =
                new TaggedFormat("test", Reasoning.tags("<|channel>thought", "<channel|>"), GemmaCalls.gemma4());
        Script.reply(
                        gemma,
                        "<|channel>thought\nLet me see.<channel|><|tool_call>call:get_weather{city:<|\"|>Bern<|\"|>,days:2}"
                                + "<tool_call|>")
                .gives(reasoning("Let me see."), call("get_weather", "{\"city\": \"Bern\", \"days\": 2}"));
    }

    @Test
    void arrays() {
        String calls = "[{\"name\": \"add\", \"arguments\": {\"a\": 1}}, {\"name\": \"f\", \"arguments\": {}}]";
        Script.reply(format(TaggedJsonCalls.granite()), "<|tool_call|>" + calls)
                .gives(call("add", "{\"a\": 1}"), call("f", "{}"));
        Script.reply(format(TaggedJsonCalls.phi()), "Ok <|tool_call|>" + calls + "<|/tool_call|>")
                .gives(text("Ok"), call("add", "{\"a\": 1}"), call("f", "{}"));
        Script.reply(thinking(TaggedJsonCalls.nemotron()), "<think>x</think><TOOLCALL>" + calls + "</TOOLCALL>\n")
                .gives(reasoning("x"), call("add", "{\"a\": 1}"), call("f", "{}"));
        Script.reply(
                        format(TaggedJsonCalls.apertus()),
                        "<|tools_prefix|>[{\"add\": {\"a\": 1}}, {\"f\": {}}]<|tools_suffix|>")
                .gives(call("add", "{\"a\": 1}"), call("f", "{}"));
        Script.reply(
                        format(TaggedJsonCalls.command()),
                        "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"add\", \"parameters\": {\"a\": 1}}\n]"
                                + "<|END_ACTION|>")
                .gives(call("0", "add", "{\"a\": 1}"));
    }

    @Test
    void functionary() {
        Script.reply(
                        format(new FunctionaryCalls()),
                        "Sure <function=add>{\"a\": 1}</function><function=f>{}</function> and <|python_tag|>x = 1")
                .gives(
                        text("Sure"),
                        call("add", "{\"a\": 1}"),
                        call("f", "{}"),
                        text("and"),
                        candidate("<|python_tag|>x = 1"));
    }

    @Test
    void marksAroundTheAnswerAreDropped() {
        Reasoning granite = new Reasoning("<think>", "</think>", "", Set.of("<response>", "</response>"));
        Script.reply(
                        new TaggedFormat("test", granite, TaggedJsonCalls.granite()),
                        "<think>\nSo.\n</think>\n<response>\nYes, <b>.\n</response>")
                .gives(reasoning("So."), text("Yes, <b>."));
    }
}
