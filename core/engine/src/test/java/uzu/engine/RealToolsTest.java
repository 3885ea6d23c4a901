package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.ChatInstance;
import uzu.ChatMessage;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.Engine;
import uzu.Model;
import uzu.SamplingMethod;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.ToolFunction;
import uzu.UzuException;

/** Models of the catalog call the tools of the example, where they were downloaded. */
@Tag("full")
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealToolsTest {
    private record Place(String city) {}

    private final Engine engine = Engine.create();

    /** Each loaded once. */
    private final Map<String, ChatInstance> instances = new HashMap<>();

    @AfterAll
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"qwen2.5-coder:0.5b", "qwen2.5-coder:1.5b"})
    void theToolThatTheQuestionNeedsIsCalled(String identifier) {
        for (String city : List.of("Paris", "Tokyo", "Bern")) {
            assertEquals(
                    "get_weather {\"city\":\"" + city + "\"}",
                    calls(identifier, "What's the weather in " + city + " right now?", config())
                            .getFirst());
        }
        assertEquals(
                "get_current_location {}",
                calls(identifier, "Where am I?", config()).getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"qwen2.5-coder:0.5b", "qwen2.5-coder:1.5b", "smollm2"})
    void whatIsRequiredIsCalled(String identifier) {
        ChatReplyConfig required =
                config().withToolChoice(new ToolChoice.Required()).withParallelToolCalls(false);
        assertTrue(calls(identifier, "What's the weather in Rome?", required)
                .getFirst()
                .startsWith("get_"));
        ChatReplyConfig named =
                config().withToolChoice(new ToolChoice.Named("get_weather")).withParallelToolCalls(false);
        assertEquals(
                "get_weather {\"city\":\"Rome\"}",
                calls(identifier, "What's the weather in Rome?", named).getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"qwen2.5-coder:0.5b", "qwen2.5-coder:1.5b"})
    void theAnswerComesInWords(String identifier) {
        for (ToolChoice choice :
                List.of(new ToolChoice.Auto(), new ToolChoice.Required(), new ToolChoice.Named("get_weather"))) {
            ChatReplyConfig config = config().withToolTurnLimit(10).withToolChoice(choice);
            List<String> calls = new ArrayList<>();
            String text = text(identifier, "What's the weather in Rome?", config, calls);
            assertTrue(!text.isBlank() && !text.contains("\"name\""), choice + ": " + text);
            assertTrue(calls.contains("get_weather {\"city\":\"Rome\"}"), choice + ": " + calls);
            // The smaller one doesn't know what to do with results.
            assertTrue(identifier.endsWith(":0.5b") || text.contains("21"), choice + ": " + text);
        }
    }

    @Test
    void withoutToolsNothingIsCalled() {
        ChatReplyConfig none = config().withToolChoice(new ToolChoice.None());
        assertEquals(List.of(), calls("qwen2.5-coder:0.5b", "What's the weather in Rome?", none));
    }

    private static ChatReplyConfig config() {
        return ChatReplyConfig.create()
                .withSamplingMethod(new SamplingMethod.Greedy())
                .withTokenLimit(80)
                .withToolTurnLimit(2);
    }

    /** The calls that the model makes, with arguments as the tools get them. */
    private List<String> calls(String identifier, String question, ChatReplyConfig config) {
        List<String> calls = new ArrayList<>();
        try {
            text(identifier, question, config, calls);
        } catch (UzuException.ToolTurnLimit tooEager) {
            // A model that goes on calling has called, which is what counts here.
            return calls;
        }
        return calls;
    }

    private String text(String identifier, String question, ChatReplyConfig config, List<String> calls) {
        ChatInstance instance = instances.computeIfAbsent(identifier, this::load);
        String nothing = "{\"type\": \"object\", \"properties\": {}, \"additionalProperties\": false}";
        ToolDeclaration location = new ToolDeclaration("get_current_location", "The city where the user is.", nothing);
        try (ChatSession session = engine.chatWithInstance(instance)) {
            session.addTool(ToolFunction.of(location, (arguments, cancel) -> {
                calls.add("get_current_location " + arguments);
                return "{\"city\": \"Zurich\"}";
            }));
            session.addTool(ToolFunction.of("get_weather", "The current weather in a city.", Place.class, place -> {
                calls.add("get_weather {\"city\":\"" + place.city() + "\"}");
                return Map.of("temperature", 21, "sky", "clear");
            }));
            List<ChatMessage> input = List.of(ChatMessage.user().withText(question));
            return session.reply(input, config).getFirst().message().text();
        }
    }

    private ChatInstance load(String identifier) {
        Model model = engine.model(identifier);
        assumeTrue(model != null && engine.modelPath(model) != null, identifier + " isn't downloaded");
        return engine.chatInstance(model);
    }
}
