package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.ChatConfig;
import uzu.ChatContentBlock.ToolCall;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSessionState;
import uzu.ChatSessionStream;
import uzu.ToolDeclaration;
import uzu.ToolFunction;
import uzu.UzuException;

/** Tools and histories that misbehave: an error that says so, and a session that goes on. */
@Timeout(60)
class HostileToolsTest {
    private static final ChatMessage QUESTION = ChatMessage.user().withText("Weather?");
    private static final String CALL = "<tool_call>\n{\"name\": \"weather\", \"arguments\": {}}\n</tool_call>";

    private final List<ScriptedModel> models = new ArrayList<>();

    @AfterEach
    void close() {
        models.forEach(ScriptedModel::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "NaN", "{\"a\": NaN}", "Infinity", "sunny", "{", "{} {}", "[1,]"})
    void aResultThatIsNoJsonIsAnErrorThatTheModelSees(String result) {
        ChatSession session = session((arguments, token) -> result);
        String answer = session.reply(List.of(QUESTION)).getFirst().message().text();
        assertTrue(answer.startsWith("It says: {\"error\":\"the tool's result is "), answer);
    }

    @Test
    @SuppressWarnings("NullAway")
    void aToolWithoutResultIsAnErrorThatTheModelSees() {
        ChatSession session = session((arguments, token) -> null);
        String answer = session.reply(List.of(QUESTION)).getFirst().message().text();
        assertTrue(answer.startsWith("It says: {\"error\":"), answer);
    }

    @Test
    void aResultDeeperThanAnyIsAnErrorThatTheModelSees() {
        ChatSession session = session((arguments, token) -> "[".repeat(5000) + "]".repeat(5000));
        String answer = session.reply(List.of(QUESTION)).getFirst().message().text();
        assertTrue(answer.startsWith("It says: {\"error\":"), answer);
    }

    @Test
    void aToolThatOverflowsTheStackIsAnErrorThatTheModelSees() {
        ChatSession session = session((arguments, token) -> forever(1));
        String answer = session.reply(List.of(QUESTION)).getFirst().message().text();
        assertEquals("It says: {\"error\":\"StackOverflowError\"}", answer);
    }

    private static String forever(int depth) {
        return depth < 0 ? "" : forever(depth + 1) + depth;
    }

    @Test
    void aResultThatNoContextHoldsLeavesTheSessionAsItWas() {
        ChatSession session = session((arguments, token) -> "\"" + "x".repeat(1 << 20) + "\"");
        assertThrows(UzuException.ContextOverflow.class, () -> session.reply(List.of(QUESTION)));
        assertEquals(List.of(), session.messages());
        assertEquals(ChatSessionState.IDLE, session.state());
    }

    @Test
    void aToolCantUseTheSessionThatCallsIt() {
        ChatSession[] session = new ChatSession[1];
        List<String> seen = new ArrayList<>();
        session[0] = session((arguments, token) -> {
            ChatSession own = session[0];
            List<Runnable> uses = List.of(
                    () -> own.reply(List.of(QUESTION)),
                    () -> own.setMessages(List.of()),
                    own::reset,
                    own::fork,
                    () -> own.save(java.nio.file.Path.of("never")));
            for (Runnable use : uses) {
                seen.add(assertThrows(UzuException.InvalidState.class, use::run)
                        .code()
                        .name());
            }
            return own.state() == ChatSessionState.TOOL_CALLING
                            && own.messages().isEmpty()
                    ? "1"
                    : "2";
        });
        assertEquals(
                "It says: 1",
                session[0].reply(List.of(QUESTION)).getFirst().message().text());
        assertEquals(5, seen.size());
    }

    @Test
    void aToolMayAskAnotherSessionOfTheModel() {
        ScriptedModel model = model(prompt -> prompt.contains("Inner") ? "three" : answer(prompt));
        LocalChatSession outer = model.session();
        outer.addTool(tool((arguments, token) -> {
            try (ChatSession inner = model.session()) {
                ChatMessage question = ChatMessage.user().withText("Inner");
                return "\""
                        + inner.reply(List.of(question)).getFirst().message().text() + "\"";
            }
        }));
        assertEquals(
                "It says: three",
                outer.reply(List.of(QUESTION)).getFirst().message().text());
    }

    @Test
    void nothingIsForkedWhileAReplyIsMade() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch hold = new CountDownLatch(1);
        ChatSession session = session((arguments, token) -> {
            running.countDown();
            hold.await();
            return "1";
        });
        try (ChatSessionStream stream = session.replyWithStream(List.of(QUESTION))) {
            running.await();
            assertThrows(UzuException.InvalidState.class, session::fork);
            hold.countDown();
            while (stream.next() != null) {
                // To its end.
            }
        }
        assertEquals(4, session.fork().messages().size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "\"x\"",
                "{\"type\": \"array\"}",
                "{\"type\": [\"object\"]}",
                "{\"properties\": 5}",
                "{\"properties\": {\"a\": 5}}",
                "{\"properties\": {\"a\": {\"type\": \"strin\"}}}",
                "{\"properties\": {\"a\": {\"pattern\": \"(\"}}}",
                "{\"properties\": {\"a\": {\"$ref\": \"#/nowhere\"}}, \"required\": [\"a\"]}",
                "{\"required\": \"a\"}",
                "{\"required\": [\"a\"], \"additionalProperties\": false}",
                "{\"minProperties\": 3, \"maxProperties\": 1}",
                "{\"not\": {}}",
                "{\"properties\": {\"a\": false}, \"required\": [\"a\"]}"
            })
    void aSchemaIsRefusedOrServes(String schema) {
        ScriptedModel model = model(HostileToolsTest::answer);
        try (ChatSession session = model.session()) {
            session.addTool(ToolFunction.of(new ToolDeclaration("weather", "", schema), (arguments, token) -> "1"));
            ChatReply reply = session.reply(
                            List.of(QUESTION), ChatReplyConfig.create().withTokenLimit(100))
                    .getFirst();
            assertFalse(reply.message().content().isEmpty());
        } catch (UzuException.InvalidArgument | UzuException.GrammarUnsupported refused) {
            assertFalse(refused.getMessage().isBlank());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a b", "a\"b", "a(b", "a<b", "a\nb", "a,b", "a|b"})
    void aNameThatNoModelCouldWriteIsRefused(String name) {
        var error = assertThrows(UzuException.InvalidArgument.class, () -> new ToolDeclaration(name, "", "{}"));
        assertEquals("name", error.details().get("field"));
    }

    @Test
    void callsWithoutResultsInAHistoryAreNoHindrance() {
        ChatSession session = model(prompt -> "Yes.").session();
        session.setMessages(List.of(
                QUESTION,
                ChatMessage.assistant().withToolCall(new ToolCall("1", "weather", "{\"a\": 1}")),
                ChatMessage.assistant().withToolCall(new ToolCall("2", "other", "no JSON"))));
        try {
            assertEquals(
                    "Yes.",
                    session.reply(List.of(QUESTION)).getFirst().message().text());
        } catch (UzuException.InvalidArgument refused) {
            assertFalse(refused.getMessage().isBlank());
        }
    }

    @Test
    void tenThousandMessagesAreTooManyForTheContextAndNoMore() {
        ChatSession session = model(prompt -> "Yes.").session();
        List<ChatMessage> many = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            many.add(ChatMessage.user().withText("q" + i));
            many.add(ChatMessage.assistant().withText("a" + i));
        }
        session.setMessages(many);
        assertEquals(10_000, session.messages().size());
        assertThrows(UzuException.ContextOverflow.class, () -> session.reply(List.of(QUESTION)));
        assertEquals(10_000, session.messages().size());
        session.setMessages(many.subList(0, 200));
        assertEquals(
                "Yes.", session.reply(List.of(QUESTION)).getFirst().message().text());
    }

    @Test
    void aFormatIsTakenByItsName() {
        ScriptedModel model = model(prompt -> prompt.contains("<tool>")
                ? answer(prompt)
                : "<seed:tool_call>\n<function=weather>\n</function>\n</seed:tool_call>");
        assertTrue(model.loaded.acquire());
        LocalChatSession session =
                new LocalChatSession(model.loaded, ChatConfig.create().withMessageFormat("seed"));
        session.addTool(tool((arguments, token) -> "1"));
        assertEquals(
                "It says: 1",
                session.reply(List.of(QUESTION)).getFirst().message().text());
        var error = assertThrows(
                UzuException.InvalidArgument.class,
                () -> new LocalChatSession(model.loaded, ChatConfig.create().withMessageFormat("sead")));
        assertTrue(error.getMessage().contains("seed"), error.getMessage());
        assertEquals("sead", error.details().get("value"));
    }

    private static String answer(String prompt) {
        int result = prompt.lastIndexOf("<tool>");
        return result < 0 ? CALL : "It says: " + prompt.substring(result + 6, prompt.length() - "<assistant>".length());
    }

    private static ToolFunction tool(ToolFunction.Handler handler) {
        return ToolFunction.of(new ToolDeclaration("weather", "", "{\"type\": \"object\"}"), handler);
    }

    private ScriptedModel model(Function<String, String> script) {
        ScriptedModel model = new ScriptedModel(ScriptedModel.TEMPLATE, "<assistant>", script);
        models.add(model);
        return model;
    }

    private ChatSession session(ToolFunction.Handler handler) {
        ChatSession session = model(HostileToolsTest::answer).session();
        session.addTool(tool(handler));
        return session;
    }
}
