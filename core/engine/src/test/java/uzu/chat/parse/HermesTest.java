package uzu.chat.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static uzu.chat.parse.Script.call;
import static uzu.chat.parse.Script.candidate;
import static uzu.chat.parse.Script.reasoning;
import static uzu.chat.parse.Script.text;

import org.junit.jupiter.api.Test;

class HermesTest {
    private static final MessageFormat QWEN3 = new TaggedFormat("hermes", Reasoning.THINK, new HermesCalls());
    private static final MessageFormat QWEN25 = new TaggedFormat("hermes", null, new HermesCalls());

    @Test
    void textIsText() {
        Script.reply(QWEN25, " Hello, <world>\n\n a < b <tool and  \n")
                .gives(text(" Hello, <world>\n\n a < b <tool and  \n"));
        Script.reply(QWEN25, "").gives();
    }

    @Test
    void oneCall() {
        Script.reply(
                        QWEN25,
                        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Zürich\"}}\n</tool_call>")
                .gives(call("get_weather", "{\"city\": \"Zürich\"}"));
    }

    @Test
    void textThenCallsThenText() {
        Script.reply(
                        QWEN25,
                        "Let me look. \n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"a\\\"}b\", "
                                + "\"extra\": {\"x\": [1, 2.5e-3, true, null, {}]}}}\n</tool_call>\n<tool_call>\n"
                                + "{\"arguments\": {\"a\": 1, \"b\": -0.5}, \"name\": \"add\"}\n</tool_call>\n\nDone. ")
                .gives(
                        text("Let me look."),
                        call("get_weather", "{\"city\": \"a\\\"}b\", \"extra\": {\"x\": [1, 2.5e-3, true, null, {}]}}"),
                        call("add", "{\"a\": 1, \"b\": -0.5}"),
                        text("Done. "));
    }

    @Test
    void reasoningThenAnswer() {
        Script.reply(QWEN3, "<think>\nHm, <b>so</b>.\n\nYes.\n</think>\n\nThe answer is </think> 4.\n")
                .gives(reasoning("Hm, <b>so</b>.\n\nYes."), text("The answer is </think> 4.\n"));
        Script.reply(QWEN3, "\n<think>\n\n</think>\n\nHi").gives(text("Hi"));
    }

    @Test
    void reasoningThatTheTemplateOpened() {
        Script.reply(QWEN3, "Okay.\n</think>\n\nHi")
                .after("<|im_start|>assistant\n<think>\n")
                .gives(reasoning("Okay."), text("Hi"));
        Script.reply(QWEN3, "Okay, cut short <tool_call>{} ")
                .after("<|im_start|>assistant\n<think>\n")
                .gives(reasoning("Okay, cut short <tool_call>{} "));
    }

    @Test
    void reasoningThatTheTemplateClosed() {
        Script.reply(QWEN3, "\n\nHi")
                .after("<|im_start|>assistant\n<think>\n\n</think>\n\n")
                .gives(text("Hi"));
    }

    @Test
    void aTextMaySpeakOfTheTags() {
        Script.reply(QWEN3, "The tag <think> opens it").gives(text("The tag <think> opens it"));
        Script.reply(QWEN3, "<tool_call>{\"name\": \"add\"}</tool_call>")
                .withoutTools()
                .gives(text("<tool_call>{\"name\": \"add\"}</tool_call>"));
    }

    @Test
    void reasoningThenCall() {
        Script.reply(
                        QWEN3,
                        "<think>\nI call <tool_call>.\n</think>\n\n<tool_call>\n{\"name\": \"add\", \"arguments\": {}}")
                .gives(reasoning("I call <tool_call>."), call("add", "{}"));
    }

    @Test
    void lineEndsInStringsAreEscaped() {
        Script.reply(QWEN25, "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x\ny\tz\"}}</tool_call>")
                .gives(call("add", "{\"a\": \"x\\ny\\tz\"}"));
    }

    @Test
    void argumentsInAString() {
        Script.reply(QWEN25, "<tool_call>{\"name\": \"add\", \"arguments\": \"{\\\"a\\\": 1}\"}</tool_call>")
                .gives(call("add", "{\"a\": 1}"));
        Script.reply(QWEN25, "<tool_call>{\"name\": \"add\"}</tool_call>").gives(call("add", "{}"));
    }

    @Test
    void severalCallsInOneTag() {
        Script.reply(
                        QWEN25,
                        "<tool_call>[{\"name\": \"add\", \"arguments\": {\"a\": 1}},\n{\"name\": \"f\"}]</tool_call>x")
                .gives(call("add", "{\"a\": 1}"), call("f", "{}"), text("x"));
        Script.reply(
                        QWEN25,
                        "<tool_call>{\"name\": \"add\"}\n{\"name\": \"f\"}}\n<tool_call>{\"name\": \"g\"}</tool_call>")
                .gives(call("add", "{}"), call("f", "{}"), call("g", "{}"));
    }

    @Test
    void whatIsNoCallStays() {
        Script.reply(QWEN25, "a <tool_call>call me</tool_call> b")
                .gives(text("a"), candidate("<tool_call>call me</tool_call>"), text("b"));
        Script.reply(QWEN25, "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1,}}</tool_call>\nb")
                .gives(candidate("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1,}}</tool_call>"), text("b"));
        Script.reply(QWEN25, "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1, \"b")
                .gives(candidate("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1, \"b"));
        Script.reply(QWEN25, "<tool_call>{\"name\": \"add\", \"arguments\": 3}</tool_call>")
                .gives(candidate("<tool_call>{\"name\": \"add\", \"arguments\": 3}</tool_call>"));
        Script.reply(QWEN25, "a <tool_call>").gives(text("a"), candidate("<tool_call>"));
    }

    @Test
    void anAnswerInJsonIsShownAsItComes() {
        MessageParser parser = QWEN25.parser("", Script.TOOLS);
        parser.accept("{\"na");
        assertEquals("", parser.takeDelta().text());
        parser.accept("mes\": [1, ");
        assertEquals("{\"names\": [1,", parser.takeDelta().text());
    }

    @Test
    void aBareObjectIsACallIfItNamesATool() {
        Script.reply(QWEN25, "{\"name\": \"add\", \"arguments\": {\"a\": 1}}\n").gives(call("add", "{\"a\": 1}"));
        Script.reply(QWEN25, "```json\n{\"name\": \"add\", \"arguments\": {\"a\": 1}}\n```\nSo")
                .gives(call("add", "{\"a\": 1}"), text("So"));
        Script.reply(QWEN25, " {\"name\": \"Ada\", \"arguments\": {\"a\": 1}}")
                .gives(text(" {\"name\": \"Ada\", \"arguments\": {\"a\": 1}}"));
        Script.reply(QWEN25, "```json\n{\"age\": 3}\n```").gives(text("```json\n{\"age\": 3}\n```"));
        Script.reply(QWEN25, "```\nint x;\n```").gives(text("```\nint x;\n```"));
        Script.reply(QWEN25, "{\"name\": \"add\", \"arguments\": {\"a\":")
                .gives(candidate("{\"name\": \"add\", \"arguments\": {\"a\":"));
    }

    @Test
    void bracesMayBeDoubled() {
        Script.reply(
                        QWEN25,
                        "{{\"name\": \"add\", \"arguments\": {\"a\": 1}}}\n{{\"name\": \"add\", \"arguments\": {}}}}")
                .gives(call("add", "{\"a\": 1}"), call("add", "{}"));
        Script.reply(QWEN25, "<tool_call>{{\"name\": \"add\", \"arguments\": {\"a\": 1}}}</tool_call>")
                .gives(call("add", "{\"a\": 1}"));
        Script.reply(QWEN25, "{{user}} is a placeholder").gives(text("{{user}} is a placeholder"));
    }

    @Test
    void aCallThatWasMadeBeforeIsLeftOut() {
        String one = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1}}</tool_call>";
        String other = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 12}}</tool_call>";
        Script.reply(QWEN3, one + one + other + one + "so")
                .gives(call("add", "{\"a\": 1}"), call("add", "{\"a\": 12}"), text("so"));
        String broken = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": ";
        Script.reply(QWEN3, one + broken).gives(call("add", "{\"a\": 1}"), candidate(broken));
        Script.reply(QWEN3, one + broken + "]</tool_call>" + other)
                .gives(call("add", "{\"a\": 1}"), candidate(broken + "]</tool_call>"), call("add", "{\"a\": 12}"));
    }
}
