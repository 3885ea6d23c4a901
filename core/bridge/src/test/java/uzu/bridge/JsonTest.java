package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.ChatConfig;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatRole;
import uzu.ChatSpeculationPreset;
import uzu.ContextLength;
import uzu.EngineConfig;
import uzu.Grammar;
import uzu.KvCache;
import uzu.Precision;
import uzu.ReasoningEffort;
import uzu.SamplingMethod;
import uzu.SamplingSeed;
import uzu.ToolChoice;
import uzu.UzuException;

class JsonTest {
    @Test
    void noConfigIsTheDefault() {
        assertEquals(EngineConfig.create(), ConfigJson.engine(null));
        assertEquals(EngineConfig.create(), ConfigJson.engine("{}"));
        assertEquals(KvCache.Q4, ConfigJson.chat("{\"kv_cache\":\"q4\"}").kvCache());
        assertEquals(ChatConfig.create(), ConfigJson.chat("{\"kv_cache\":null}"));
        assertEquals(
                "generic", ConfigJson.chat("{\"message_format\":\"generic\"}").messageFormat());
        assertEquals(ChatReplyConfig.create(), ConfigJson.reply("{\"sampling\":\"default\"}"));
    }

    @Test
    void everyFieldOfAnEngineConfigIsRead() {
        EngineConfig config = ConfigJson.engine("{\"local_path\":\"/a\",\"cache_path\":\"/b\",\"precision\":\"exact\","
                + "\"backend\":\"cpu\",\"threads\":3,\"offline\":true}");
        assertEquals(Path.of("/a"), config.localPath());
        assertEquals(Path.of("/b"), config.cachePath());
        assertEquals(Precision.EXACT, config.precision());
        assertEquals(3, config.threads());
        assertTrue(config.offline());
    }

    @Test
    void everyFieldOfAChatConfigIsRead() {
        assertEquals(
                new ChatConfig(
                        new ContextLength.Custom(100),
                        new SamplingSeed.Custom(-1),
                        new ChatSpeculationPreset.Summarization(),
                        KvCache.BF16,
                        null),
                ConfigJson.chat("{\"context_length\":100,\"sampling_seed\":18446744073709551615,"
                        + "\"speculation_preset\":\"summarization\",\"kv_cache\":\"bf16\"}"));
    }

    @Test
    void everyFieldOfAReplyConfigIsRead() {
        ChatReplyConfig config = ConfigJson.reply("{\"token_limit\":5,\"stop\":[\"x\",\"y\"],\"seed\":-7,"
                + "\"logprobs\":2,\"sampling\":{\"method\":\"stochastic\",\"temperature\":0.5,\"top_k\":40,\"top_p\":1,"
                + "\"logit_bias\":{\"17\":-2.5}}}");
        SamplingMethod method =
                new SamplingMethod.Stochastic(0.5, 40, 1.0, null, null, null, null, null, Map.of(17, -2.5));
        assertEquals(
                ChatReplyConfig.create()
                        .withTokenLimit(5)
                        .withSamplingMethod(method)
                        .withStop(List.of("x", "y"))
                        .withSeed(-7L)
                        .withLogprobs(2),
                config);
    }

    @Test
    void grammarsAndToolsOfAReplyAreRead() {
        ChatReplyConfig config = ConfigJson.reply("{\"grammar\":\"json_any\",\"lenient\":true,"
                + "\"tool_choice\":\"required\",\"parallel_tool_calls\":false,\"tool_turn_limit\":3,"
                + "\"reasoning_token_limit\":100}");
        assertEquals(
                ChatReplyConfig.create()
                        .withGrammar(new Grammar.JsonAny())
                        .withLenient(true)
                        .withToolChoice(new ToolChoice.Required())
                        .withParallelToolCalls(false)
                        .withToolTurnLimit(3)
                        .withReasoningTokenLimit(100),
                config);
        assertEquals(
                new ToolChoice.None(),
                ConfigJson.reply("{\"tool_choice\":\"none\"}").toolChoice());
        assertEquals(
                new ToolChoice.Named("look"),
                ConfigJson.reply("{\"tool_choice\":{\"name\":\"look\"}}").toolChoice());
    }

    @Test
    void everyKindOfGrammarIsRead() {
        Map<String, Grammar> grammars = Map.of(
                "{\"type\":\"json_any\"}", new Grammar.JsonAny(),
                "{\"type\":\"json_schema\",\"schema\":{\"type\":\"null\"}}",
                        new Grammar.JsonSchema("{\"type\":\"null\"}"),
                "{\"type\":\"json_schema\",\"schema\":\"{ }\"}", new Grammar.JsonSchema("{ }"),
                "{\"type\":\"json_schema\",\"schema\":true}", new Grammar.JsonSchema("true"),
                "{\"type\":\"regex\",\"pattern\":\"a+\"}", new Grammar.Regex("a+"),
                "{\"type\":\"ebnf\",\"text\":\"root ::= \\\"a\\\"\"}", new Grammar.Ebnf("root ::= \"a\""),
                "{\"type\":\"choice\",\"values\":[\"yes\",\"no\"]}", new Grammar.Choice(List.of("yes", "no")));
        grammars.forEach((json, grammar) -> assertEquals(
                grammar, ConfigJson.reply("{\"grammar\":" + json + "}").grammar(), json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nul",
                "[]",
                "{} {}",
                "{\"tokens\":1}",
                "{\"token_limit\":1.5}",
                "{\"token_limit\":99999999999}",
                "{\"token_limit\":-1}",
                "{\"stop\":\"x\"}",
                "{\"stop\":[1]}",
                "{\"stop\":[\"\"]}",
                "{\"seed\":1e30}",
                "{\"sampling\":\"best\"}",
                "{\"sampling\":{}}",
                "{\"sampling\":{\"method\":\"beam\"}}",
                "{\"sampling\":{\"method\":\"stochastic\",\"temperature\":\"hot\"}}",
                "{\"sampling\":{\"method\":\"stochastic\",\"top_p\":2}}",
                "{\"sampling\":{\"method\":\"stochastic\",\"logit_bias\":{\"x\":1}}}",
                "{\"logprobs\":101}",
                "{\"grammar\":\"json\"}",
                "{\"grammar\":{\"type\":\"json\"}}",
                "{\"grammar\":{\"type\":\"json_schema\"}}",
                "{\"grammar\":{\"type\":\"json_schema\",\"schema\":5}}",
                "{\"grammar\":{\"type\":\"regex\",\"pattern\":5}}",
                "{\"grammar\":{\"type\":\"choice\",\"values\":[]}}",
                "{\"grammar\":{\"type\":\"choice\",\"values\":[1]}}",
                "{\"tool_choice\":\"maybe\"}",
                "{\"tool_choice\":{\"name\":\"\"}}",
                "{\"tool_turn_limit\":-1}",
                "{\"reasoning_token_limit\":-1}",
                "{\"lenient\":1}",
            })
    void whatIsWrongInAConfigIsAnError(String json) {
        try {
            ConfigJson.reply(json);
        } catch (Throwable thrown) {
            assertEquals(UzuException.InvalidArgument.class, Errors.of(thrown).getClass(), thrown::toString);
            return;
        }
        throw new AssertionError("accepted: " + json);
    }

    @Test
    void aWrongFieldIsNamed() {
        UzuException wrong =
                assertThrows(UzuException.InvalidArgument.class, () -> ConfigJson.engine("{\"thread\":1}"));
        assertEquals(Map.of("field", "engine config.thread"), wrong.details());
    }

    @Test
    void fieldsOfAnErrorAreSpelledAsInJson() {
        UzuException wrong =
                assertThrows(UzuException.InvalidArgument.class, () -> ConfigJson.reply("{\"token_limit\":-1}"));
        assertEquals(
                "{\"code\":\"invalid_argument\",\"message\":\"token_limit must be 0 or more, not -1\","
                        + "\"details\":{\"field\":\"token_limit\"}}",
                Errors.json(wrong).toString());
    }

    @Test
    void messagesGoBothWays() {
        List<ChatMessage> messages = List.of(
                ChatMessage.system().withReasoningEffort(ReasoningEffort.LOW),
                ChatMessage.user().withText("\"Ü\"\n").withBlock(new ChatContentBlock.Image("a.png")),
                ChatMessage.assistant().withReasoning("hm").withText("yes"),
                ChatMessage.forRole(new ChatRole("narrator")));
        assertEquals(messages, MessageJson.read(MessageJson.write(messages).toString()));
    }

    @Test
    void aStringIsAMessageOfOneTextBlock() {
        assertEquals(
                List.of(ChatMessage.user().withText("Hi")),
                MessageJson.read("[{\"role\":\"user\",\"content\":\"Hi\"}]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[1]",
                "[{\"role\":\"user\"}]",
                "[{\"content\":\"x\"}]",
                "[{\"role\":\"user\",\"content\":1}]",
                "[{\"role\":\"user\",\"content\":\"x\",\"name\":\"y\"}]",
                "[{\"role\":\"user\",\"content\":[{\"type\":\"text\"}]}]",
                "[{\"role\":\"user\",\"content\":[{\"type\":\"tool_call\"}]}]",
                "[{\"role\":\"user\",\"content\":[{\"type\":\"reasoning_effort\",\"effort\":\"much\"}]}]",
            })
    void whatIsWrongInAMessageIsAnError(String json) {
        assertThrows(UzuException.InvalidArgument.class, () -> MessageJson.read(json));
    }

    @Test
    void everyThrowableBecomesOneOfTheCodes() {
        assertEquals(-10, Errors.result(Errors.of(new OutOfMemoryError("heap"))));
        assertEquals(-20, Errors.result(Errors.of(new StackOverflowError())));
        assertEquals(-20, Errors.result(Errors.of(new NullPointerException())));
        assertEquals(
                "{\"code\":\"model_corrupt\",\"message\":\"bad\",\"details\":{\"path\":\"x\"}}",
                Errors.json(new UzuException.ModelCorrupt("bad", Map.of("path", "x")))
                        .toString());
    }
}
