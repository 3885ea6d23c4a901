package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.ChatContentBlock;
import uzu.ChatContentBlock.ToolCall;
import uzu.ChatContentBlock.ToolCallResult;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatReplyFinishReason;
import uzu.ChatSession;
import uzu.ChatSessionState;
import uzu.ChatSessionStream;
import uzu.ChatSessionStreamChunk;
import uzu.Grammar;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.ToolFunction;
import uzu.UzuException;

/** Replies between which tools run, on a model that says what the test wants. */
@Timeout(60)
class ToolLoopTest {
    private static final ChatMessage QUESTION = ChatMessage.user().withText("Weather in Zug?");
    private static final String CALL =
            "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Zug\"}}\n</tool_call>";
    private static final String PARAMETERS =
            "{\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\"}}, \"required\": [\"city\"]}";

    private final List<ScriptedModel> models = new ArrayList<>();

    @AfterEach
    void close() {
        models.forEach(ScriptedModel::close);
    }

    @Test
    void theReplyGoesOnWithWhatTheToolsSay() {
        ChatSession session =
                session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> "{\"sky\": \"blue\"}"));
        ChatReply reply = session.reply(List.of(QUESTION)).getFirst();
        assertEquals("It says: {\"sky\": \"blue\"}", reply.message().text());
        assertEquals(ChatReplyFinishReason.STOP, reply.finishReason());
        List<ChatMessage> messages = session.messages();
        assertEquals(4, messages.size());
        ToolCall call = messages.get(1).toolCalls().getFirst();
        assertEquals("Let me see.", messages.get(1).text());
        assertEquals("{\"city\": \"Zug\"}", call.arguments());
        assertEquals(
                ChatMessage.tool().withBlock(new ToolCallResult(call.identifier(), "weather", "{\"sky\": \"blue\"}")),
                messages.get(2));
        assertEquals(reply.message(), messages.get(3));
        assertEquals(ChatSessionState.IDLE, session.state());
        // Both turns' tokens, with an end token each.
        assertEquals(
                ("Let me see." + CALL + "It says: {\"sky\": \"blue\"}").length() + 2,
                reply.stats().tokensCountOutput());
    }

    @Test
    void theStreamHasTurnsAndResultsInOrder() {
        ChatSession session = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> "1"));
        List<String> seen = new ArrayList<>();
        StringBuilder arguments = new StringBuilder();
        StringBuilder text = new StringBuilder();
        try (ChatSessionStream stream = session.replyWithStream(List.of(QUESTION))) {
            for (ChatSessionStreamChunk chunk : stream) {
                switch (chunk) {
                    case ChatSessionStreamChunk.Replies replies -> {
                        text.append(replies.delta().text());
                        replies.delta().toolCalls().forEach(call -> arguments.append(call.arguments()));
                        ChatReply reply = replies.replies().getFirst();
                        if (reply.finishReason() != null) {
                            assertEquals(text.toString(), reply.message().text());
                            seen.add(reply.finishReason() + " " + text);
                            text.setLength(0);
                        }
                    }
                    case ChatSessionStreamChunk.ToolResults results ->
                        seen.add(results.results().getFirst().value());
                    case ChatSessionStreamChunk.Error error -> throw error.error();
                }
            }
            assertTrue(stream.isFinished());
            assertNull(stream.next());
        }
        assertEquals(List.of("TOOL_CALLS Let me see.", "1", "STOP It says: 1"), seen);
        assertEquals("{\"city\": \"Zug\"}", arguments.toString());
    }

    @Test
    void aStreamCanBePolledThroughAllTurns() throws InterruptedException {
        CountDownLatch hold = new CountDownLatch(1);
        ChatSession session = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> {
            hold.await();
            return "1";
        }));
        int waits = 0;
        LinkedBlockingQueue<Boolean> ready = new LinkedBlockingQueue<>();
        List<Object> kinds = new ArrayList<>();
        try (ChatSessionStream stream = session.replyWithStream(List.of(QUESTION))) {
            while (true) {
                ChatSessionStreamChunk chunk = stream.next(Duration.ZERO);
                if (chunk != null) {
                    if (kinds.isEmpty() || kinds.getLast() != chunk.getClass()) {
                        kinds.add(chunk.getClass());
                    }
                    continue;
                }
                if (stream.isFinished()) {
                    break;
                }
                stream.onReady(() -> ready.add(true));
                if (session.state() == ChatSessionState.TOOL_CALLING && hold.getCount() > 0 && ready.isEmpty()) {
                    hold.countDown();
                }
                ready.take();
                waits++;
            }
        }
        assertTrue(waits > 1);
        assertEquals(
                List.of(
                        ChatSessionStreamChunk.Replies.class,
                        ChatSessionStreamChunk.ToolResults.class,
                        ChatSessionStreamChunk.Replies.class),
                kinds);
    }

    @Test
    void whoGathersIsCalledOnceForEachMessageAndForResults() throws InterruptedException {
        ChatSession session = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> "1"));
        LinkedBlockingQueue<Boolean> whole = new LinkedBlockingQueue<>();
        List<String> chunks = new ArrayList<>();
        try (ChatSessionStream stream = session.replyWithStream(List.of(QUESTION))) {
            while (!stream.isFinished()) {
                stream.onGathered(() -> false, () -> whole.add(true));
                whole.take();
                chunks.add(
                        switch (stream.next(Duration.ZERO)) {
                            case ChatSessionStreamChunk.Replies replies ->
                                String.valueOf(replies.replies().getFirst().finishReason());
                            case ChatSessionStreamChunk.ToolResults results ->
                                results.results().getFirst().value();
                            case ChatSessionStreamChunk.Error error ->
                                error.error().getMessage();
                            case null -> "too early";
                        });
            }
        }
        assertEquals(List.of("TOOL_CALLS", "1", "STOP"), chunks);
    }

    @Test
    void severalCallsAreAnsweredInTheirOrder() {
        String calls = CALL + "\n" + CALL.replace("Zug", "Bern");
        String results = "<tool>{\"city\":\"Zug\"}<tool>{\"city\":\"Bern\"}";
        ChatSession session =
                session(prompt -> prompt.contains(results) ? "yes" : calls, weather((arguments, token) -> arguments));
        assertEquals(
                "yes", session.reply(List.of(QUESTION)).getFirst().message().text());
    }

    @Test
    void whatGoesWrongInAToolIsSeenByTheModel() {
        ChatSession session = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> {
            throw new IllegalStateException("no network");
        }));
        assertEquals(
                "It says: {\"error\":\"no network\"}",
                session.reply(List.of(QUESTION)).getFirst().message().text());
    }

    @Test
    void callsOfOtherToolsAreHandedBack() {
        ChatSession session = session(ToolLoopTest::callThenAnswer);
        ChatContentBlock.Tools declared =
                new ChatContentBlock.Tools(List.of(new ToolDeclaration("weather", "", PARAMETERS)));
        ChatReply reply = session.reply(List.of(ChatMessage.system().withBlock(declared), QUESTION))
                .getFirst();
        assertEquals(ChatReplyFinishReason.TOOL_CALLS, reply.finishReason());
        ToolCall call = reply.message().toolCalls().getFirst();
        assertEquals(reply.message(), session.messages().getLast());
        ChatMessage answer =
                ChatMessage.tool().withBlock(new ToolCallResult(call.identifier(), call.name(), "\"wet\""));
        assertEquals(
                "It says: wet",
                session.reply(List.of(answer)).getFirst().message().text());
    }

    @Test
    void aCallThatIsCutShortIsHandedBack() {
        ChatSession session = session(prompt -> CALL, weather((arguments, token) -> "1"));
        ChatReply reply = session.reply(
                        List.of(QUESTION), ChatReplyConfig.create().withTokenLimit(40))
                .getFirst();
        assertEquals(ChatReplyFinishReason.LENGTH, reply.finishReason());
        assertInstanceOf(
                ChatContentBlock.ToolCallCandidate.class,
                reply.message().content().getLast());
    }

    @Test
    void theTurnLimitIsAnErrorThatLeavesTheSessionAsItWas() {
        AtomicInteger time = new AtomicInteger();
        ChatSession session =
                session(prompt -> CALL, weather((arguments, token) -> Integer.toString(time.incrementAndGet())));
        ChatReplyConfig config = ChatReplyConfig.create().withToolTurnLimit(2);
        UzuException error =
                assertThrows(UzuException.ToolTurnLimit.class, () -> session.reply(List.of(QUESTION), config));
        assertEquals("2", error.details().get("value"));
        assertEquals(List.of(), session.messages());
        assertEquals(ChatSessionState.IDLE, session.state());
    }

    @Test
    void aModelThatAsksTheSameAgainForTheSameResultHasToAnswer() {
        AtomicInteger calls = new AtomicInteger();
        ChatSession session = session(prompt -> CALL, weather((arguments, token) -> {
            calls.incrementAndGet();
            return "1";
        }));
        ChatReply reply = session.reply(
                        List.of(QUESTION), ChatReplyConfig.create().withTokenLimit(90))
                .getFirst();
        assertEquals(2, calls.get());
        assertEquals(List.of(), reply.message().toolCalls());
    }

    @Test
    void aCancelWhileToolsRunLeavesNoCallInTheHistory() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        ChatSession session = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> {
            running.countDown();
            try {
                Thread.sleep(Duration.ofMinutes(5));
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return "1";
        }));
        ChatSessionStreamChunk last = null;
        try (ChatSessionStream stream = session.replyWithStream(List.of(QUESTION))) {
            running.await();
            assertEquals(ChatSessionState.TOOL_CALLING, session.state());
            stream.cancelToken().cancel();
            for (ChatSessionStreamChunk chunk : stream) {
                last = chunk;
            }
        }
        ChatReply reply = ((ChatSessionStreamChunk.Replies) last).replies().getFirst();
        assertEquals(ChatReplyFinishReason.CANCELLED, reply.finishReason());
        assertEquals(List.of(QUESTION, ChatMessage.assistant().withText("Let me see.")), session.messages());
        assertEquals(session.messages().getLast(), reply.message());
        interrupted.await();
    }

    @Test
    void closingWhileToolsRunWaitsForNone() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch stubborn = new CountDownLatch(1);
        ChatSession session = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> {
            running.countDown();
            while (stubborn.getCount() > 0) {
                Thread.yield();
            }
            return "1";
        }));
        ChatSessionStream stream = session.replyWithStream(List.of(QUESTION));
        running.await();
        stream.close();
        assertEquals(ChatSessionState.IDLE, session.state());
        assertEquals(2, session.messages().size());
        assertFalse(session.messages().getLast().toolCalls().iterator().hasNext());
        stubborn.countDown();
        session.close();
    }

    @Test
    void aToolMayCloseItsOwnSession() {
        ChatSession[] session = new ChatSession[1];
        session[0] = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> {
            session[0].close();
            return "1";
        }));
        ChatSessionStream stream = session[0].replyWithStream(List.of(QUESTION));
        while (stream.next() != null) {
            // To its end.
        }
        assertThrows(UzuException.Closed.class, () -> session[0].reply(List.of(QUESTION)));
    }

    @Test
    void closingTheModelEndsAReplyWhoseToolsRun() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        LocalChatSession session = session(ToolLoopTest::callThenAnswer, weather((arguments, token) -> {
            running.countDown();
            Thread.sleep(Duration.ofMinutes(5));
            return "1";
        }));
        ChatSessionStream stream = session.replyWithStream(List.of(QUESTION));
        running.await();
        session.closeWithInstance();
        ChatSessionStreamChunk last = null;
        for (ChatSessionStreamChunk chunk : stream) {
            last = chunk;
        }
        assertInstanceOf(UzuException.Closed.class, ((ChatSessionStreamChunk.Error) last).error());
        assertEquals(List.of(), session.messages());
    }

    @Test
    void toolsAddedLaterAreShownFromTheNextReplyOn() {
        ChatSession session = session(prompt -> prompt.contains("<tools>weather ") ? "yes" : "no");
        assertEquals("no", session.reply(List.of(QUESTION)).getFirst().message().text());
        session.addTool(weather((arguments, token) -> "1"));
        assertEquals(
                "yes", session.reply(List.of(QUESTION)).getFirst().message().text());
        ChatReplyConfig none = ChatReplyConfig.create().withToolChoice(new ToolChoice.None());
        assertEquals(
                "no",
                session.reply(List.of(QUESTION), none).getFirst().message().text());
        assertThrows(UzuException.InvalidArgument.class, () -> session.addTool(weather((arguments, token) -> "1")));
        assertTrue(session.supportsToolCalls());
    }

    @Test
    void aChoiceThatCantBeHonouredIsRefused() {
        ChatSession session = session(prompt -> "no");
        ChatReplyConfig required = ChatReplyConfig.create().withToolChoice(new ToolChoice.Required());
        assertThrows(UzuException.InvalidArgument.class, () -> session.reply(List.of(QUESTION), required));
        ChatReplyConfig named = ChatReplyConfig.create().withToolChoice(new ToolChoice.Named("weather"));
        UzuException error =
                assertThrows(UzuException.InvalidArgument.class, () -> session.reply(List.of(QUESTION), named));
        assertEquals("weather", error.details().get("tool"));
        assertEquals("no", session.reply(List.of(QUESTION)).getFirst().message().text());
    }

    @Test
    void callsFollowTheSchemaWhateverTheModelWantsToSay() {
        String wrong = "<tool_call>\n{\"name\": \"wether\", \"arguments\": {\"town\": 3}}\n</tool_call>";
        List<String> seen = new CopyOnWriteArrayList<>();
        String schema = PARAMETERS
                .replace("\"string\"", "\"string\", \"enum\": [\"Zug\", \"Bern\"]")
                .replace("\"required\"", "\"additionalProperties\": false, \"required\"");
        ToolFunction tool = ToolFunction.of(new ToolDeclaration("weather", "", schema), (arguments, token) -> {
            seen.add(arguments);
            return "1";
        });
        ChatSession session = session(prompt -> prompt.contains("<tool>") ? "ok" : wrong, tool);
        ChatReplyConfig single = ChatReplyConfig.create().withParallelToolCalls(false);
        assertEquals(
                "ok",
                session.reply(List.of(QUESTION), single).getFirst().message().text());
        assertTrue(List.of("{\"city\":\"Zug\"}", "{\"city\":\"Bern\"}").contains(seen.getFirst()), seen.toString());
    }

    @Test
    void aBareCallFollowsItsSchemaToo() {
        List<String> seen = new CopyOnWriteArrayList<>();
        String schema = "{\"type\": \"object\", \"properties\": {\"city\": {\"enum\": [\"Zug\", \"Bern\"]}},"
                + " \"required\": [\"city\"], \"additionalProperties\": false}";
        ToolFunction tool = ToolFunction.of(new ToolDeclaration("weather", "", schema), (arguments, token) -> {
            seen.add(arguments);
            return "1";
        });
        String bare = "{\"name\": \"weather\", \"arguments\": {\"town\": 3}}";
        ChatSession session = session(prompt -> prompt.contains("<tool>") ? "ok" : bare, tool);
        assertEquals("ok", session.reply(List.of(QUESTION)).getFirst().message().text());
        assertTrue(List.of("{\"city\":\"Zug\"}", "{\"city\":\"Bern\"}").contains(seen.getFirst()), seen.toString());
    }

    @Test
    void aChoiceMakesTheModelCall() {
        for (ToolChoice choice : List.of(new ToolChoice.Required(), new ToolChoice.Named("weather"))) {
            List<String> seen = new CopyOnWriteArrayList<>();
            ChatSession session = session(prompt -> "Sunny.", weather((arguments, token) -> {
                seen.add(arguments);
                return "1";
            }));
            ChatReplyConfig config = ChatReplyConfig.create()
                    .withToolChoice(choice)
                    .withTokenLimit(80)
                    .withParallelToolCalls(false);
            assertEquals(
                    "Sunny.",
                    session.reply(List.of(QUESTION), config)
                            .getFirst()
                            .message()
                            .text());
            assertEquals(1, seen.size());
        }
    }

    @Test
    void aGrammarHoldsForTheTextAndCallsStayPossible() {
        ChatSession session = session(ToolLoopTest::callOrNot, weather((arguments, token) -> "1"));
        ChatReplyConfig config = ChatReplyConfig.create().withGrammar(new Grammar.Choice(List.of("wet", "dry")));
        assertEquals(
                "dry",
                session.reply(List.of(QUESTION), config).getFirst().message().text());
        assertEquals(4, session.messages().size());
    }

    private static String callOrNot(String prompt) {
        return prompt.contains("<tool>") ? "dry" : CALL;
    }

    private static String callThenAnswer(String prompt) {
        int result = prompt.lastIndexOf("<tool>");
        return result < 0
                ? "Let me see." + CALL
                : "It says: " + prompt.substring(result + 6, prompt.length() - "<assistant>".length());
    }

    private static ToolFunction weather(ToolFunction.Handler handler) {
        return ToolFunction.of(new ToolDeclaration("weather", "How it is.", PARAMETERS), handler);
    }

    private LocalChatSession session(Function<String, String> script, ToolFunction... tools) {
        ScriptedModel model = new ScriptedModel(ScriptedModel.TEMPLATE, "<assistant>", script);
        models.add(model);
        LocalChatSession session = model.session();
        session.addTools(List.of(tools));
        return session;
    }
}
