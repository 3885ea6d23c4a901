package uzu.chat.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import uzu.ChatContentBlock;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.UzuException;
import uzu.generate.ToyTokenizer;
import uzu.grammar.GrammarCompiler;
import uzu.grammar.Syntax;
import uzu.speculate.Constraint;

/** What a format's grammar lets a model write, its parser reads as calls. */
class CallGrammarTest {
    private static final ToyTokenizer BYTES = new ToyTokenizer();
    private static final int TOKENS = 4000;
    /** From here on a random text takes what closes something, if it may. */
    private static final int CLOSING = 120;

    private static final List<ToolDeclaration> TOOLS = List.of(new ToolDeclaration("get_weather", "", """
            {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"},
             "unit": {"enum": ["c", "f"]}, "tags": {"type": "array", "items": {"type": "string"}}},
             "required": ["city"], "additionalProperties": false}"""));

    /** A format with two calls as its models write them. */
    private record Sample(CallFormat calls, String text) {
        MessageFormat format() {
            return new TaggedFormat("test", calls.reasoning(), calls);
        }
    }

    private static final String HERMES = """
            <tool_call>
            {"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}
            </tool_call>
            <tool_call>
            {"name": "add", "arguments": {"a": 1}}
            </tool_call>""";
    private static final String ARRAY =
            "[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 2}}, "
                    + "{\"name\": \"add\", \"arguments\": {\"a\": 1}}]";

    private static Map<String, Sample> samples() {
        Map<String, Sample> samples = new LinkedHashMap<>();
        samples.put("hermes", new Sample(new HermesCalls(), HERMES));
        samples.put("generic", new Sample(new GenericCalls(), HERMES));
        samples.put("granite", new Sample(TaggedJsonCalls.granite(), "<|tool_call|>" + ARRAY));
        samples.put("phi", new Sample(TaggedJsonCalls.phi(), "<|tool_call|>" + ARRAY + "<|/tool_call|>"));
        samples.put("mistral array", new Sample(new MistralCalls(false), "[TOOL_CALLS]" + ARRAY));
        samples.put(
                "apertus",
                new Sample(
                        TaggedJsonCalls.apertus(),
                        "<|tools_prefix|>[{\"get_weather\": {\"city\": \"Oslo\", \"days\": 2}}, {\"add\": {\"a\": 1}}]"
                                + "<|tools_suffix|>"));
        samples.put(
                "command",
                new Sample(
                        TaggedJsonCalls.command(),
                        "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": "
                                + "{\"city\": \"Oslo\", \"days\": 2}}, {\"tool_call_id\": \"1\", \"tool_name\": \"add\", "
                                + "\"parameters\": {\"a\": 1}}]<|END_ACTION|>"));
        samples.put(
                "mistral",
                new Sample(
                        new MistralCalls(true),
                        "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Oslo\", \"days\": 2}[TOOL_CALLS]add[ARGS]{\"a\": 1}"));
        samples.put(
                "deepseek",
                new Sample(
                        new DeepSeekCalls(true),
                        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n"
                                + "{\"city\": \"Oslo\", \"days\": 2}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function"
                                + "<｜tool▁sep｜>add\n```json\n{\"a\": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"));
        samples.put(
                "kimi",
                new Sample(
                        new KimiCalls(),
                        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
                                + "{\"city\": \"Oslo\", \"days\": 2}<|tool_call_end|><|tool_call_begin|>functions.add:1"
                                + "<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|><|tool_calls_section_end|>"));
        samples.put(
                "llama",
                new Sample(
                        new LlamaCalls(),
                        "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\", \"days\": 2}}; "
                                + "{\"name\": \"add\", \"parameters\": {\"a\": 1}}"));
        samples.put(
                "functionary",
                new Sample(
                        new FunctionaryCalls(),
                        "<function=get_weather>{\"city\": \"Oslo\", \"days\": 2}</function><function=add>{\"a\": 1}"
                                + "</function>"));
        samples.put(
                "lfm2",
                new Sample(
                        new Lfm2Calls(),
                        "<|tool_call_start|>[get_weather(city=\"Oslo\", days=2), add(a=1)]<|tool_call_end|>"));
        samples.put(
                "functiongemma",
                new Sample(
                        GemmaCalls.functionGemma(),
                        "<start_function_call>call:get_weather{city:<escape>Oslo<escape>,days:2}<end_function_call>"
                                + "<start_function_call>call:add{a:1}<end_function_call>"));
        samples.put("qwen xml", new Sample(XmlCalls.qwen(), """
                <tool_call>
                <function=get_weather>
                <parameter=city>
                Oslo
                </parameter>
                <parameter=days>
                2
                </parameter>
                </function>
                </tool_call>
                <tool_call>
                <function=add>
                <parameter=a>
                1
                </parameter>
                </function>
                </tool_call>"""));
        samples.put("seed", new Sample(XmlCalls.seed(), """
                <seed:tool_call>
                <function=get_weather>
                <parameter=city>Oslo</parameter>
                <parameter=days>2</parameter>
                </function>
                <function=add>
                <parameter=a>1</parameter>
                </function>
                </seed:tool_call>"""));
        samples.put("glm", new Sample(XmlCalls.glm(), """
                <tool_call>get_weather
                <arg_key>city</arg_key>
                <arg_value>Oslo</arg_value>
                <arg_key>days</arg_key>
                <arg_value>2</arg_value>
                </tool_call>
                <tool_call>add
                <arg_key>a</arg_key>
                <arg_value>1</arg_value>
                </tool_call>"""));
        samples.put("minimax", new Sample(XmlCalls.miniMax(), """
                <minimax:tool_call>
                <invoke name="get_weather">
                <parameter name="city">Oslo</parameter>
                <parameter name="days">2</parameter>
                </invoke>
                <invoke name="add">
                <parameter name="a">1</parameter>
                </invoke>
                </minimax:tool_call>"""));
        samples.put(
                "kimi k3",
                new Sample(
                        new KimiK3Calls(),
                        "<|open|>tools<|sep|><|open|>call tool=\"get_weather\" index=\"1\"<|sep|><|open|>argument key=\"city\""
                                + " type=\"string\"<|sep|>Oslo<|close|>argument<|sep|><|open|>argument key=\"days\""
                                + " type=\"json\"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|open|>call"
                                + " tool=\"add\" index=\"2\"<|sep|><|open|>argument key=\"a\" type=\"json\"<|sep|>1"
                                + "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>"));
        samples.put("minimax m3", new Sample(new MiniMaxM3Calls(), """
                @<tool_call>
                @<invoke name="get_weather">@<city>Oslo@</city>@<days>2@</days>@</invoke>
                @<invoke name="add">@<a>1@</a>@</invoke>
                @</tool_call>""".replace("@", "]<]minimax[>[")));
        samples.put(
                "solar",
                new Sample(
                        new SolarCalls(),
                        "<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>"
                                + "{\"city\": \"Oslo\", \"days\": 2}<|tool_call:end|><|tool_call:begin|>a1b2c3d4e6"
                                + "<|tool_call:name|>add<|tool_call:args|>{\"a\": 1}<|tool_call:end|><|calls|>"));
        samples.put(
                "gigachat",
                new Sample(
                        new GigaChatCalls(),
                        "<|function_call|>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 2}}"
                                + "<|function_call|>{\"name\": \"add\", \"arguments\": {\"a\": 1}}"));
        samples.put("pythonic", new Sample(PythonicCalls.bare(), "[get_weather(city=\"Oslo\", days=2), add(a=1)]"));
        samples.put(
                "olmo3",
                new Sample(
                        PythonicCalls.tagged(),
                        "<function_calls>get_weather(city=\"Oslo\", days=2)\nadd(a=1)</function_calls>"));
        samples.put(
                "minicpm",
                new Sample(
                        XmlCalls.miniCpm(),
                        "<function name=\"get_weather\"><param name=\"city\">Oslo</param><param name=\"days\">2</param>"
                                + "</function><function name=\"add\"><param name=\"a\">1</param></function>"));
        samples.put("hunyuan", new Sample(XmlCalls.hunyuan(), """
                <tool_calls@>
                <tool_call@>get_weather<tool_sep@>
                <arg_key@>city</arg_key@>
                <arg_value@>Oslo</arg_value@>
                <arg_key@>days</arg_key@>
                <arg_value@>2</arg_value@>
                </tool_call@>
                <tool_call@>add<tool_sep@>
                <arg_key@>a</arg_key@>
                <arg_value@>1</arg_value@>
                </tool_call@>
                </tool_calls@>""".replace("@", ":opensource")));
        samples.put("deepseek v3.2", new Sample(XmlCalls.deepSeek("function_calls"), """
                <｜DSML｜function_calls>
                <｜DSML｜invoke name="get_weather">
                <｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>
                <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
                </｜DSML｜invoke>
                <｜DSML｜invoke name="add">
                <｜DSML｜parameter name="a" string="false">1</｜DSML｜parameter>
                </｜DSML｜invoke>
                </｜DSML｜function_calls>"""));
        return samples;
    }

    private static Constraint start(Syntax syntax) {
        return new GrammarCompiler(BYTES, new int[] {ToyTokenizer.END})
                .compile(syntax, false)
                .start(TOKENS);
    }

    private static boolean accepts(Syntax syntax, String text) {
        Constraint constraint = start(syntax);
        for (int token : BYTES.encode(text, false)) {
            if (!constraint.accepts(token)) {
                return false;
            }
            constraint = constraint.after(token);
        }
        return constraint.accepts(ToyTokenizer.END);
    }

    @TestFactory
    Stream<DynamicTest> whatModelsWriteIsAccepted() {
        return samples().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    Sample sample = entry.getValue();
                    MessageFormat format = sample.format();
                    Syntax required =
                            format.calls(Script.TOOLS, new CallRules(new ToolChoice.Required(), true, true, true));
                    assertTrue(accepts(required, sample.text), "required");
                    assertFalse(accepts(required, "Hello"), "a text although calls are required");
                    assertFalse(accepts(required, sample.text.replace("2", "x")));
                    Syntax single =
                            format.calls(Script.TOOLS, new CallRules(new ToolChoice.Required(), false, true, true));
                    assertFalse(accepts(single, sample.text), "two calls although one is allowed");
                    Syntax auto = format.calls(Script.TOOLS, new CallRules(new ToolChoice.Auto(), true, true, true));
                    assertTrue(accepts(auto, sample.text), "auto");
                    assertTrue(accepts(auto, "Hello\nthere"), "a text");
                    assertTrue(
                            accepts(
                                    format.calls(Script.TOOLS, new CallRules(new ToolChoice.Auto(), true, false, true)),
                                    sample.text),
                            "free");
                    Script.reply(format, sample.text)
                            .gives(
                                    Script.call("get_weather", "{\"city\": \"Oslo\", \"days\": 2}"),
                                    Script.call("add", "{\"a\": 1}"));
                }));
    }

    @TestFactory
    Stream<DynamicTest> whateverTheGrammarAllowsIsRead() {
        long seed = System.nanoTime();
        return samples().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> {
                    MessageFormat format = entry.getValue().format();
                    Syntax syntax = format.calls(TOOLS, new CallRules(new ToolChoice.Required(), true, true, true));
                    Random random = new Random(seed);
                    for (int i = 0; i < 5; i++) {
                        String text = walk(start(syntax), random);
                        MessageParser parser = format.parser("", TOOLS);
                        parser.accept(text);
                        parser.end();
                        List<ChatContentBlock> blocks = parser.blocks();
                        assertFalse(blocks.isEmpty(), "seed " + seed);
                        for (ChatContentBlock block : blocks) {
                            String about = block + " of " + text + ", seed " + seed;
                            assertTrue(block instanceof ChatContentBlock.ToolCall, about);
                            JsonNode arguments = JsonText.parse(((ChatContentBlock.ToolCall) block).arguments());
                            assertTrue(
                                    arguments != null && arguments.path("city").isString(), about);
                            assertTrue(
                                    !arguments.has("days")
                                            || arguments.path("days").isNumber(),
                                    about);
                        }
                    }
                }));
    }

    private static String walk(Constraint constraint, Random random) {
        byte[] bytes = new byte[TOKENS];
        for (int length = 0; length < TOKENS; length++) {
            List<Integer> allowed = new ArrayList<>();
            for (int token = 0; token < BYTES.size(); token++) {
                if (constraint.accepts(token)) {
                    allowed.add(token);
                }
            }
            assertFalse(allowed.isEmpty(), "a dead end behind " + new String(bytes, 0, length, StandardCharsets.UTF_8));
            boolean ends = allowed.contains(ToyTokenizer.END) && random.nextBoolean();
            int token = ends ? ToyTokenizer.END : allowed.get(random.nextInt(allowed.size()));
            if (length > CLOSING && random.nextInt(4) > 0) {
                for (char close : "<)}]\"".toCharArray()) {
                    token = allowed.contains((int) close) ? close : token;
                }
            }
            if (token == ToyTokenizer.END) {
                return new String(bytes, 0, length, StandardCharsets.UTF_8);
            }
            bytes[length] = (byte) token;
            constraint = constraint.after(token);
        }
        throw new AssertionError("not ended");
    }

    @Test
    void harmony() {
        MessageFormat format = new HarmonyFormat();
        String call = "<|channel|>commentary to=functions.add <|constrain|>json<|message|>{\"a\": 1}";
        assertTrue(
                accepts(format.calls(Script.TOOLS, new CallRules(new ToolChoice.Required(), true, true, true)), call));
        Syntax auto = format.calls(Script.TOOLS, new CallRules(new ToolChoice.Auto(), true, true, true));
        assertTrue(accepts(auto, call));
        assertTrue(accepts(auto, "<|channel|>final<|message|>Hi"));
        assertFalse(accepts(auto, "<|channel|>commentary to=functions.other <|constrain|>json<|message|>{}"));
    }

    @Test
    void aNamedToolMustBeDeclared() {
        var failure = assertThrows(
                UzuException.InvalidArgument.class,
                () -> new TaggedFormat("", null, new HermesCalls())
                        .calls(Script.TOOLS, new CallRules(new ToolChoice.Named("other"), false, true, true)));
        assertEquals("other", failure.details().get("value"));
    }
}
