package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatReplyFinishReason;
import uzu.ChatSession;
import uzu.Completion;
import uzu.ContextLength;
import uzu.Engine;
import uzu.EngineConfig;
import uzu.EngineEvent;
import uzu.EngineEvents;
import uzu.Model;
import uzu.ModelCapabilities;
import uzu.Precision;
import uzu.SamplingMethod.Greedy;
import uzu.SamplingMethod.Stochastic;
import uzu.ToolSupport;
import uzu.UzuException;

/** The whole way from an identifier to text, with the default model where it was downloaded. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmolLm2Test {
    private final Engine engine = Engine.create();
    private Model model;

    @BeforeAll
    void find() {
        model = engine.model("smollm2");
        assertNotNull(model);
        assumeTrue(engine.modelPath(model) != null, "SmolLM2 isn't downloaded");
    }

    @AfterAll
    void close() {
        engine.close();
    }

    @Test
    void eventsTellWhatIsInMemory() {
        List<EngineEvent> called = new CopyOnWriteArrayList<>();
        EngineEvents events;
        try (Engine own = Engine.create()) {
            events = own.events();
            own.registerCallback(called::add);
            own.chat(model).close();
            own.chat(model);
        }
        List<EngineEvent> seen = new ArrayList<>();
        events.forEach(seen::add);
        assertEquals(4, seen.size(), seen::toString);
        EngineEvent.ModelLoaded loaded = assertInstanceOf(EngineEvent.ModelLoaded.class, seen.get(0));
        assertEquals(model.identifier(), loaded.model());
        assertEquals(engine.modelPath(model), loaded.path());
        assertTrue(loaded.weightBytes() > 60_000_000);
        EngineEvent unloaded = new EngineEvent.ModelUnloaded(model.identifier());
        assertEquals(List.of(loaded, unloaded, loaded, unloaded), seen);
        assertTrue(events.isFinished());
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            while (called.size() < 4) {
                Thread.sleep(1);
            }
        });
        assertEquals(seen, called);
    }

    @Test
    void answersInASessionThatReusesItsPrefix() {
        // The likeliest first token is a near tie, which int8 activations turn the other way.
        EngineConfig exact = EngineConfig.create().withPrecision(Precision.EXACT);
        try (Engine exactEngine = Engine.create(exact);
                ChatSession session = exactEngine.chat(model)) {
            ChatReply first = reply(session, "What is the capital of France?", greedy(16));
            assertEquals("The capital of France is Paris.", first.message().text());
            assertEquals(ChatReplyFinishReason.STOP, first.finishReason());
            assertEquals(37, first.stats().tokensCountInput());
            assertEquals(8, first.stats().tokensCountOutput());

            ChatReply second = reply(session, "What did I ask you?", greedy(4));
            assertEquals(44, second.stats().tokensCountCached());
            assertEquals(4, session.messages().size());
        }
    }

    @Test
    void aReusedPrefixGivesWhatAFreshSessionGives() {
        ChatReplyConfig config = ChatReplyConfig.create()
                .withTokenLimit(12)
                .withSeed(7L)
                .withSamplingMethod(Stochastic.create().withTemperature(0.8).withTopP(0.95));
        try (ChatInstance instance = engine.chatInstance(model);
                ChatSession used = engine.chatWithInstance(instance);
                ChatSession fresh = engine.chatWithInstance(instance)) {
            reply(used, "Tell me a joke.", config);
            used.reset();
            assertEquals(
                    reply(fresh, "Tell me about joy.", config).message(),
                    reply(used, "Tell me about joy.", config).message());
        }
    }

    @Test
    void sessionsOnOneInstanceRunAtTheSameTimeWithTheSameText() throws Exception {
        try (ChatInstance instance = engine.chatInstance(model);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> texts = List.of(
                    threads.submit(() -> answer(instance, 1)),
                    threads.submit(() -> answer(instance, 2)),
                    threads.submit(() -> answer(instance, 1)));
            assertEquals(texts.get(0).get(), texts.get(2).get());
            assertEquals(answer(instance, 2), texts.get(1).get());
        }
    }

    private String answer(ChatInstance instance, long seed) {
        ChatReplyConfig config =
                ChatReplyConfig.create().withTokenLimit(12).withSeed(seed).withSamplingMethod(Stochastic.create());
        try (ChatSession session = engine.chatWithInstance(instance)) {
            return reply(session, "Tell me a story.", config).message().text();
        }
    }

    @Test
    void completesRawText() {
        Completion completion = engine.complete(
                model,
                "The capital of France is",
                greedy(12).withStop(List.of(".")).withLogprobs(1));
        assertEquals(" Paris", completion.text());
        assertEquals(ChatReplyFinishReason.STOP, completion.finishReason());
        assertEquals(" Paris", completion.logprobs().getFirst().text());
        assertTrue(completion.logprobs().getFirst().logprob() > -1);
    }

    @Test
    void countsTokensAndTellsWhatTheModelCanDo() {
        assertEquals(4, engine.countTokens(model, "Hello there <|im_end|>"));
        assertEquals(new ModelCapabilities(true, false, ToolSupport.GENERIC, 8192), engine.capabilities(model));
    }

    @Test
    void anOverlongPromptIsATypedError() {
        ChatConfig config = ChatConfig.create().withContextLength(new ContextLength.Custom(36));
        try (ChatSession session = engine.chat(model, config)) {
            UzuException error = assertThrows(
                    UzuException.ContextOverflow.class,
                    () -> reply(session, "What is the capital of France?", greedy(4)));
            assertEquals("37", error.details().get("promptTokens"));
        }
    }

    private static ChatReply reply(ChatSession session, String text, ChatReplyConfig config) {
        return session.reply(List.of(ChatMessage.user().withText(text)), config).getFirst();
    }

    private static ChatReplyConfig greedy(int tokens) {
        return ChatReplyConfig.create().withTokenLimit(tokens).withSamplingMethod(new Greedy());
    }
}
