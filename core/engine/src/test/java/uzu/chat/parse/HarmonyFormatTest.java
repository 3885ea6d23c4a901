package uzu.chat.parse;

import static uzu.chat.parse.Script.call;
import static uzu.chat.parse.Script.candidate;
import static uzu.chat.parse.Script.reasoning;
import static uzu.chat.parse.Script.text;

import org.junit.jupiter.api.Test;

class HarmonyFormatTest {
    private static Script reply(String text) {
        return Script.reply(new HarmonyFormat(), text).after("<|start|>assistant");
    }

    @Test
    void analysisThenAnswer() {
        reply(
                        "<|channel|>analysis<|message|>Simple.<|end|><|start|>assistant<|channel|>final<|message|>Hello!\n<|return|>")
                .gives(reasoning("Simple."), text("Hello!"));
        reply("<|channel|>analysis<|message|>Cut sho").gives(reasoning("Cut sho"));
        reply("<|channel|>final<|message|>Hi <|x").gives(text("Hi <|x"));
        reply("Hello").gives(text("Hello"));
    }

    @Test
    void callsOfFunctions() {
        reply(
                        "<|channel|>analysis<|message|>Need it.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather "
                                + "<|constrain|>json<|message|>{\"city\":\"Paris\"}<|call|>")
                .gives(reasoning("Need it."), call("get_weather", "{\"city\":\"Paris\"}"));
        reply(
                        "<|channel|>commentary<|message|>I'll look.<|end|><|start|>assistant to=functions.add<|channel|>commentary json"
                                + "<|message|>{\"a\": 1}")
                .gives(text("I'll look."), call("add", "{\"a\": 1}"));
        reply(" to=functions.add<|channel|>commentary json<|message|>{}").gives(call("add", "{}"));
    }

    @Test
    void whatIsNoCallStays() {
        reply("<|channel|>commentary to=functions.add<|message|>{\"a\": 1,")
                .gives(candidate("<|channel|>commentary to=functions.add<|message|>{\"a\": 1,"));
        reply("<|channel|>analysis to=python<|message|>print(1)<|call|>")
                .gives(candidate("<|channel|>analysis to=python<|message|>print(1)"));
    }

    @Test
    void theTemplateMayHaveOpenedAMessage() {
        Script.reply(new HarmonyFormat(), "Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes")
                .after("<|start|>assistant<|channel|>analysis<|message|>")
                .gives(reasoning("Hm."), text("Yes"));
        Script.reply(new HarmonyFormat(), "Yes")
                .after("<|start|>assistant<|channel|>final<|message|>")
                .gives(text("Yes"));
    }
}
