package uzu.chat.parse;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Replies that make no sense are read too: alike however they are cut, with deltas that add up. */
class AnyReplyTest {
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            ":",
            ",",
            " ",
            "\n",
            "x",
            "é😀",
            "1",
            "true",
            "'",
            "(",
            ")",
            "=",
            "\\",
            "<",
            "</",
            "|",
            "{\"name\": \"add\", \"arguments\": {\"a\": 1}}",
            "{\"name\": \"add\", \"parameters\": {}}",
            "\"name\"",
            "\"arguments\": ",
            "add",
            "add(a=1)",
            "add(",
            "call:add{a:1}",
            "call:add{",
            "<function=add>",
            "</function>",
            "<parameter=a>",
            "</parameter>",
            "<arg_key>a</arg_key>",
            "<arg_value>",
            "</arg_value>",
            "```json\n",
            "```",
            "functions.add:0",
            ">>>",
            ">>>add\n",
            "all\n",
            "[add(a=1), add(a=2)]",
            "<param name=\"a\">",
            "<![CDATA[",
            "]]></param>",
            "<|open|>call tool=\"add\" index=\"1\"<|sep|>",
            "<|close|>call<|sep|>",
            "]<]minimax[>[<invoke name=\"add\">",
            "]<]minimax[>[<a>",
            "]<]minimax[>[</a>",
            "]<]minimax[>[</invoke>",
            "<|tool_call:begin|>x<|tool_call:name|>add<|tool_call:args|>{}<|tool_call:end|>",
            "<think>",
            "</think>",
            "<response>",
            " to=functions.add",
            "analysis",
            "final");

    private static Stream<MessageFormat> formats() {
        Stream<CallFormat> calls = Stream.of(
                new HermesCalls(),
                new GenericCalls(),
                new LlamaCalls(),
                new MistralCalls(true),
                new DeepSeekCalls(true),
                new KimiCalls(),
                GemmaCalls.functionGemma(),
                GemmaCalls.gemma4(),
                new Lfm2Calls(),
                XmlCalls.qwen(),
                XmlCalls.glm(),
                XmlCalls.miniMax(),
                XmlCalls.deepSeek("function_calls"),
                new FunctionaryCalls(),
                TaggedJsonCalls.granite(),
                TaggedJsonCalls.phi(),
                TaggedJsonCalls.apertus(),
                TaggedJsonCalls.command(),
                new KimiK3Calls(),
                new MiniMaxM3Calls(),
                new SolarCalls(),
                new GigaChatCalls(),
                PythonicCalls.bare(),
                PythonicCalls.tagged(),
                XmlCalls.hunyuan(),
                XmlCalls.miniCpm());
        return Stream.concat(
                Stream.of(new HarmonyFormat(), new RecipientFormat()),
                calls.map(one -> new TaggedFormat(one.markers().getFirst(), Reasoning.THINK, one)));
    }

    @TestFactory
    Stream<DynamicTest> areReadAlike() {
        long seed = System.nanoTime();
        return formats()
                .map(format -> DynamicTest.dynamicTest(format.name() + ", seed " + seed, () -> {
                    Random random = new Random(seed);
                    List<String> marks = List.copyOf(format.visible(true));
                    for (int i = 0; i < 100; i++) {
                        StringBuilder reply = new StringBuilder();
                        for (int n = 1 + random.nextInt(14); n > 0; n--) {
                            List<String> from = !marks.isEmpty() && random.nextInt(3) == 0 ? marks : PIECES;
                            reply.append(from.get(random.nextInt(from.size())));
                        }
                        Script script = Script.reply(format, reply.toString());
                        (random.nextInt(4) == 0 ? script.after("<think>\n") : script).isReadAlike();
                    }
                }));
    }
}
