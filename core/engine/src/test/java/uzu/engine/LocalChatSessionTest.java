package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.ChatConfig;
import uzu.ChatContentBlock;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatReplyFinishReason;
import uzu.ChatRole;
import uzu.ChatSession;
import uzu.ChatSessionState;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;
import uzu.ContextLength;
import uzu.Model;
import uzu.ModelAccessibility;
import uzu.ModelProperties;
import uzu.ModelRegistry;
import uzu.ReasoningEffort;
import uzu.SamplingMethod;
import uzu.SamplingSeed;
import uzu.UzuException;
import uzu.generate.Instance;
import uzu.generate.ToyExecutable;
import uzu.generate.ToyTokenizer;

@Timeout(60)
class LocalChatSessionTest {
    private static final String TEMPLATE = """
            {%- for m in messages -%}
            {%- if loop.index0 > 0 and m.role == messages[loop.index0 - 1].role -%}
            {{- raise_exception('roles must alternate') -}}
            {%- endif -%}
            [{{ m.role }}] {{ m.content }}
            {%- endfor -%}
            {%- if add_generation_prompt %}[assistant] {% endif -%}
            """;

    private final List<LoadedModel> models = new ArrayList<>();
    private final AtomicInteger freed = new AtomicInteger();

    @AfterEach
    void close() {
        models.forEach(LoadedModel::close);
    }

    @Test
    void theSessionKeepsItsHistory() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatReply first = reply(session, "Hello", 10);
        assertEquals(ChatReplyFinishReason.LENGTH, first.finishReason());
        ChatReply second = reply(session, "More", 10);
        assertEquals(List.of(user("Hello"), first.message(), user("More"), second.message()), session.messages());
        assertEquals(ChatSessionState.IDLE, session.state());
        // All but the last token of the first reply was computed before.
        assertEquals("[user] Hello[assistant] ".length() + 9, second.stats().tokensCountCached());
    }

    @Test
    void chunksCarryTheWholeMessageAndWhatIsNew() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        StringBuilder deltas = new StringBuilder();
        String last = "";
        ChatReplyFinishReason reason = null;
        try (ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")), limited(50))) {
            for (ChatSessionStreamChunk chunk : stream) {
                ChatSessionStreamChunk.Replies replies = assertInstanceOf(ChatSessionStreamChunk.Replies.class, chunk);
                deltas.append(replies.delta().text());
                ChatReply reply = replies.replies().getFirst();
                assertEquals(deltas.toString(), reply.message().text());
                assertNull(reason);
                reason = reply.finishReason();
                last = reply.message().text();
            }
            assertTrue(stream.isFinished());
            assertNull(stream.next());
        }
        assertEquals(ChatReplyFinishReason.LENGTH, reason);
        assertEquals(last, session.messages().getLast().text());
    }

    @Test
    void oneReplyAtATime() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        ChatSession session = session(held(hold, 5));
        ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")), limited(5));
        assertEquals(ChatSessionState.GENERATION, session.state());
        assertThrows(UzuException.InvalidState.class, () -> reply(session, "Hello", 5));
        assertThrows(UzuException.InvalidState.class, session::reset);
        assertNull(stream.next(Duration.ofMillis(1)));
        hold.countDown();
        while (stream.next() != null) {
            // The first reply is unharmed.
        }
        assertEquals(5, session.messages().getLast().text().length());
        assertEquals(5, reply(session, "Again", 5).message().text().length());
    }

    @Test
    void whatComesAfterACancelWaitsForTheReplysEnd() throws InterruptedException {
        CountDownLatch passing = new CountDownLatch(1);
        CountDownLatch hold = new CountDownLatch(1);
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed(), path -> {
            passing.countDown();
            try {
                hold.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")), limited(500));
        passing.await();
        stream.cancelToken().cancel();
        Thread waiting = Thread.startVirtualThread(() -> reply(session, "Again", 3));
        Thread interrupted = Thread.ofVirtual().unstarted(session::reset);
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        interrupted.setUncaughtExceptionHandler((thread, error) -> thrown.add(error));
        interrupted.start();
        assertFalse(waiting.join(Duration.ofMillis(50)));
        interrupted.interrupt();
        interrupted.join();
        assertInstanceOf(UzuException.Cancelled.class, thrown.getFirst());
        hold.countDown();
        waiting.join();
        assertEquals(ChatSessionState.IDLE, session.state());
        assertEquals(3, session.messages().getLast().text().length());
    }

    @Test
    void anEmptyConversationIsRefused() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        assertThrows(UzuException.InvalidArgument.class, () -> session.reply(List.of()));
        assertEquals(ChatSessionState.IDLE, session.state());
    }

    @Test
    @SuppressWarnings("NullAway")
    void aMessageThatIsNullLeavesTheSessionAsItWas() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        List<ChatMessage> input = Collections.singletonList(null);
        assertThrows(NullPointerException.class, () -> session.reply(input));
        assertEquals(ChatSessionState.IDLE, session.state());
        assertEquals(5, reply(session, "Hello", 5).message().text().length());
    }

    @Test
    void aTemplateThatRefusesTheMessagesLeavesTheSessionAsItWas() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        UzuException error =
                assertThrows(UzuException.TemplateFailed.class, () -> session.reply(List.of(user("a"), user("b"))));
        assertTrue(error.getMessage().contains("roles must alternate"), error.getMessage());
        assertEquals(List.of(), session.messages());
        assertEquals(5, reply(session, "Hello", 5).message().text().length());
    }

    @Test
    void aConversationLongerThanTheContextIsRefusedWithBothCounts() {
        ChatSession session = new LocalChatSession(
                model(new ToyExecutable(64, ToyExecutable.hashed())),
                ChatConfig.create().withContextLength(new ContextLength.Custom(40)));
        reply(session, "Hello", 5);
        List<ChatMessage> before = session.messages();
        UzuException error = assertThrows(UzuException.ContextOverflow.class, () -> reply(session, "too long now", 5));
        assertEquals(Map.of("promptTokens", "60", "contextLength", "40"), error.details());
        assertEquals(before, session.messages());
        assertEquals(ChatSessionState.IDLE, session.state());
    }

    @Test
    void theContextFillsUpWithoutAnError() {
        ChatSession session = new LocalChatSession(
                model(new ToyExecutable(64, ToyExecutable.hashed())),
                ChatConfig.create().withContextLength(new ContextLength.Custom(40)));
        ChatReply reply = session.reply(List.of(user("Hello"))).getFirst();
        assertEquals(ChatReplyFinishReason.CONTEXT_LIMIT_REACHED, reply.finishReason());
        assertEquals(40, reply.stats().tokensCount());
    }

    @Test
    void aContextLengthBeyondTheModelsIsRefused() {
        LoadedModel model = model(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatConfig config = ChatConfig.create().withContextLength(new ContextLength.Custom(4097));
        assertThrows(UzuException.InvalidArgument.class, () -> new LocalChatSession(model, config));
    }

    @Test
    void aCancelledReplyStaysInTheHistoryAsItWasShown() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatReply last = null;
        try (ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")))) {
            for (ChatSessionStreamChunk chunk : stream) {
                last = ((ChatSessionStreamChunk.Replies) chunk).replies().getFirst();
                stream.cancelToken().cancel();
            }
        }
        assertEquals(ChatReplyFinishReason.CANCELLED, last.finishReason());
        assertEquals(List.of(user("Hello"), last.message()), session.messages());
        assertEquals(5, reply(session, "On", 5).message().text().length());
    }

    @Test
    void closingAStreamKeepsOnlyWhatWasHandedOut() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        ChatSession session = session(held(hold, 40));
        ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")));
        String shown = ((ChatSessionStreamChunk.Replies) stream.next())
                .replies()
                .getFirst()
                .message()
                .text();
        Thread closer = new Thread(stream::close);
        closer.start();
        while (!stream.isFinished()) {
            Thread.onSpinWait();
        }
        hold.countDown();
        closer.join();
        assertEquals(List.of(user("Hello"), ChatMessage.assistant().withText(shown)), session.messages());
        assertNull(stream.next());
    }

    @Test
    void anInterruptCancelsTheReplyThatIsWaitedFor() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        ChatSession session = session(held(hold, 30));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                session.reply(List.of(user("Hello")));
            } catch (UzuException e) {
                thrown.set(e);
            }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        waiter.interrupt();
        hold.countDown();
        waiter.join();
        assertInstanceOf(UzuException.Cancelled.class, thrown.get());
        assertEquals(ChatSessionState.IDLE, session.state());
    }

    @Test
    void blocksThatTheModelCantTakeAreNamed() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatMessage picture = user("What is this?").withBlock(new ChatContentBlock.Image("cat.png"));
        UzuException error = assertThrows(UzuException.InvalidArgument.class, () -> session.reply(List.of(picture)));
        assertEquals("image", error.details().get("block"));
        ChatMessage effort = user("Think!").withReasoningEffort(ReasoningEffort.HIGH);
        error = assertThrows(UzuException.InvalidArgument.class, () -> session.reply(List.of(effort)));
        assertEquals("high", error.details().get("value"));
    }

    @Test
    void resetForgetsTheConversation() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatReplyConfig config = limited(20).withSeed(4L);
        ChatReply first = session.reply(List.of(user("Hello")), config).getFirst();
        session.reset();
        assertEquals(List.of(), session.messages());
        assertEquals(
                first.message(),
                session.reply(List.of(user("Hello")), config).getFirst().message());
    }

    @Test
    void theReportedSeedRepeatsTheReply() {
        LoadedModel model = model(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatReply first = reply(new LocalChatSession(model, ChatConfig.create()), "Hello", 30);
        ChatReply other = reply(new LocalChatSession(model, ChatConfig.create()), "Hello", 30);
        assertNotEquals(first.message(), other.message());
        ChatConfig seeded = ChatConfig.create()
                .withSamplingSeed(new SamplingSeed.Custom(first.stats().seed()));
        assertEquals(
                first.message(),
                reply(new LocalChatSession(model, seeded), "Hello", 30).message());
    }

    @Test
    void sessionsOfOneModelRunAtTheSameTime() throws Exception {
        LoadedModel model = model(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatConfig seeded = ChatConfig.create().withSamplingSeed(new SamplingSeed.Custom(3));
        String expected = reply(new LocalChatSession(model, seeded), "Hello", 200)
                .message()
                .text();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> texts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                texts.add(threads.submit(() -> reply(new LocalChatSession(model, seeded), "Hello", 200)
                        .message()
                        .text()));
            }
            for (Future<String> text : texts) {
                assertEquals(expected, text.get());
            }
        }
    }

    @Test
    void theModelIsFreedAfterItsLastSession() {
        LoadedModel model = model(new ToyExecutable(64, ToyExecutable.hashed()));
        ChatSession first = new LocalChatSession(model, ChatConfig.create());
        assertTrue(model.acquire());
        ChatSession second = new LocalChatSession(model, ChatConfig.create());
        first.close();
        first.close();
        assertEquals(5, reply(second, "Hello", 5).message().text().length());
        assertEquals(0, freed.get());
        second.close();
        assertEquals(1, freed.get());
        assertThrows(UzuException.Closed.class, () -> reply(second, "Hello", 5));
    }

    @Test
    void closingTheModelEndsStreamsWithATypedError() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        LoadedModel model = model(new ToyExecutable(64, ToyExecutable.hashed(), path -> running.countDown()));
        ChatSession session = new LocalChatSession(model, ChatConfig.create());
        ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")));
        running.await();
        model.close();
        ChatSessionStreamChunk last = null;
        for (ChatSessionStreamChunk chunk : stream) {
            last = chunk;
        }
        ChatSessionStreamChunk.Error error = assertInstanceOf(ChatSessionStreamChunk.Error.class, last);
        assertInstanceOf(UzuException.Closed.class, error.error());
        assertEquals(List.of(), session.messages());
    }

    @Test
    void closingAnInstanceEndsRepliesOfItsSessionsAndNoOthers() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        LoadedModel model = model(new ToyExecutable(64, ToyExecutable.hashed(), path -> running.countDown()));
        ChatSession other = new LocalChatSession(model, ChatConfig.create());
        assertTrue(model.acquire());
        LocalChatInstance instance = new LocalChatInstance(anyModel(), ChatConfig.create(), model);
        ChatSession closedBefore = instance.newSession();
        closedBefore.close();
        ChatSession session = instance.newSession();
        ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")));
        running.await();
        instance.close();
        instance.close();
        ChatSessionStreamChunk last = null;
        for (ChatSessionStreamChunk chunk : stream) {
            last = chunk;
        }
        ChatSessionStreamChunk.Error error = assertInstanceOf(ChatSessionStreamChunk.Error.class, last);
        assertInstanceOf(UzuException.Closed.class, error.error());
        assertThrows(UzuException.Closed.class, () -> reply(session, "On", 5));
        assertThrows(UzuException.Closed.class, instance::newSession);
        session.close();
        assertEquals(5, reply(other, "Hello", 5).message().text().length());
        assertEquals(0, freed.get());
        other.close();
        assertEquals(1, freed.get());
    }

    @Test
    void aListenerThatWouldWaitForItselfIsRefused() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        ChatSession session = session(held(hold, 1));
        // Held in the first pass: once there is something to read, a listener is called here and not by the model.
        ChatSessionStream stream = session.replyWithStream(List.of(user("Hello")));
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        stream.onReady(() -> {
            thrown.add(assertThrows(UzuException.class, session::close));
            thrown.add(assertThrows(UzuException.class, stream::close));
            called.countDown();
        });
        hold.countDown();
        called.await();
        thrown.forEach(error -> assertInstanceOf(UzuException.InvalidState.class, error));
        assertEquals(2, thrown.size());
        session.close();
        assertEquals(1, freed.get());
    }

    @Test
    void aClosedSessionIsNotReset() {
        ChatSession session = session(new ToyExecutable(64, ToyExecutable.hashed()));
        session.close();
        assertThrows(UzuException.Closed.class, session::reset);
    }

    private static Model anyModel() {
        return new Model(
                "any",
                "Any",
                new ModelRegistry("local", "Local files"),
                List.of("cpu"),
                null,
                new ModelProperties("1k", null),
                null,
                List.of(),
                ModelAccessibility.LOCAL,
                false);
    }

    /** Waits for {@code hold} before it computes a path of {@code length} tokens. */
    private static ToyExecutable held(CountDownLatch hold, int length) {
        return new ToyExecutable(64, ToyExecutable.hashed(), path -> {
            if (path.length == length) {
                try {
                    hold.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
    }

    private ChatSession session(ToyExecutable executable) {
        return new LocalChatSession(model(executable), ChatConfig.create());
    }

    private LoadedModel model(ToyExecutable executable) {
        ToyTokenizer tokenizer = new ToyTokenizer();
        ModelFiles files =
                new ModelFiles(tokenizer, new Prompts(tokenizer, TEMPLATE), 4096, SamplingMethod.Stochastic.create());
        Instance instance = new Instance(executable, tokenizer, ToyExecutable.VOCABULARY, new int[] {ToyTokenizer.END});
        ModelDrafters drafters = new ModelDrafters(Path.of("toy"), tokenizer);
        LoadedModel model = new LoadedModel(files, 4096, instance, drafters, 0, freed::incrementAndGet, unused -> {});
        models.add(model);
        return model;
    }

    private static ChatReply reply(ChatSession session, String text, int limit) {
        return session.reply(List.of(user(text)), limited(limit)).getFirst();
    }

    private static ChatReplyConfig limited(int tokens) {
        return ChatReplyConfig.create().withTokenLimit(tokens);
    }

    private static ChatMessage user(String text) {
        return ChatMessage.forRole(ChatRole.USER).withText(text);
    }
}
