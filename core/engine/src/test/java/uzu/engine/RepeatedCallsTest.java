package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatReplyFinishReason;
import uzu.ChatSession;
import uzu.Grammar;
import uzu.ToolChoice;
import uzu.ToolDeclaration;
import uzu.ToolFunction;

/** Small models ask for the same again and again, or have nothing to say: a reply comes to its answer all the same. */
@Timeout(60)
class RepeatedCallsTest {
    private static final ChatMessage QUESTION = ChatMessage.user().withText("Weather?");
    private static final ChatReplyConfig SHORT = ChatReplyConfig.create().withTokenLimit(100);

    /** Without thinking, which may be anything. */
    private static final String TEMPLATE = """
            {%- if tools %}<tools>{% for t in tools %}{{ t.function.name }} {% endfor %}</tools>{% endif -%}
            {%- for m in messages -%}
            <{{ m.role }}>{{ m.content }}
            {%- for c in m.tool_calls or [] -%}
            <tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>
            {%- endfor -%}
            {%- endfor -%}
            <assistant>""";

    private final List<ScriptedModel> models = new ArrayList<>();
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final List<String> prompts = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        models.forEach(ScriptedModel::close);
    }

    @Test
    void aCallThatBringsNothingNewIsFollowedByWords() {
        ChatSession session = session(prompt -> call("Zug"));
        ChatReply reply = session.reply(List.of(QUESTION), SHORT).getFirst();
        assertEquals(List.of("Zug", "Zug"), called);
        assertEquals(List.of(), reply.message().toolCalls());
        assertTrue(
                reply.message().text().matches("(?s)[ \\n]{0,2}[\\p{L}\\p{N}#$*+~_@-].*"),
                reply.message().text());
        assertTrue(prompts.getFirst().contains("<tools>"), prompts.getFirst());
        assertFalse(prompts.getLast().contains("<tools>"), "words are asked for without tools");
    }

    @Test
    void turningInACircleIsNoticedToo() {
        ChatSession session = session(prompt -> {
            String city = prompt.endsWith("{\"city\":\"Zug\"}<assistant>") ? "Bern" : "Zug";
            return call(city);
        });
        session.reply(List.of(QUESTION), SHORT);
        assertEquals(List.of("Zug", "Bern", "Zug"), called);
    }

    @Test
    void askingAgainIsFineWhileTheResultChanges() {
        ChatSession session = session(prompt -> call("Zug"), true);
        ChatReplyConfig patient = SHORT.withToolTurnLimit(5);
        try {
            session.reply(List.of(QUESTION), patient);
        } catch (uzu.UzuException.ToolTurnLimit stillChanging) {
            assertEquals(5, called.size());
            return;
        }
        throw new AssertionError("five results, all new, were called a repetition");
    }

    @Test
    void theCallsOfATurnDiffer() {
        String calls = call("Zug") + "\n" + call("Zug") + "\n" + call("Bern") + "\n" + call("Zug");
        ChatSession session = session(prompt -> prompt.contains("<tool>") ? "Dry." : calls);
        ChatReplyConfig long_ = ChatReplyConfig.create().withTokenLimit(500);
        assertEquals(
                "Dry.",
                session.reply(List.of(QUESTION), long_).getFirst().message().text());
        assertEquals(2, called.size());
        assertTrue(called.containsAll(List.of("Zug", "Bern")));
        assertEquals(2, session.messages().get(1).toolCalls().size());
    }

    @Test
    void theTurnAfterResultsIsNotEmpty() {
        ChatSession session = session(prompt -> prompt.contains("<tool>") ? "" : call("Zug"));
        ChatReply reply = session.reply(List.of(QUESTION), SHORT).getFirst();
        assertFalse(reply.message().text().isBlank(), reply.toString());
        ChatSession silent = session(prompt -> "");
        assertEquals(
                "", silent.reply(List.of(QUESTION), SHORT).getFirst().message().text());
    }

    @Test
    void whatHasToBeCalledIsCalledOnce() {
        for (ToolChoice choice : List.of(new ToolChoice.Required(), new ToolChoice.Named("weather"))) {
            called.clear();
            ChatSession session = session(prompt -> prompt.contains("<tool>") ? "Dry." : call("Zug") + call("Zug"));
            ChatReply reply = session.reply(List.of(QUESTION), SHORT.withToolChoice(choice))
                    .getFirst();
            assertEquals("Dry.", reply.message().text());
            assertEquals(ChatReplyFinishReason.STOP, reply.finishReason());
            assertEquals(List.of("Zug"), called);
        }
    }

    @Test
    void aGrammarHoldsForTheWordsToo() {
        ChatSession session = session(prompt -> call("Zug"));
        ChatReplyConfig config = SHORT.withGrammar(new Grammar.Choice(List.of("wet", "dry")));
        String text =
                session.reply(List.of(QUESTION), config).getFirst().message().text();
        assertTrue(List.of("wet", "dry").contains(text), () -> text + session.messages());
    }

    private static String call(String city) {
        return "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"" + city + "\"}}\n</tool_call>";
    }

    private ChatSession session(Function<String, String> script) {
        return session(script, false);
    }

    private ChatSession session(Function<String, String> script, boolean changing) {
        ScriptedModel model = new ScriptedModel(TEMPLATE, "<assistant>", prompt -> {
            prompts.add(prompt);
            return script.apply(prompt);
        });
        models.add(model);
        String schema = "{\"type\": \"object\", \"properties\": {\"city\": {\"enum\": [\"Zug\", \"Bern\"]}},"
                + " \"required\": [\"city\"], \"additionalProperties\": false}";
        ChatSession session = model.session();
        session.addTool(ToolFunction.of(new ToolDeclaration("weather", "", schema), (arguments, token) -> {
            called.add(arguments.contains("Zug") ? "Zug" : "Bern");
            return changing ? Integer.toString(called.size()) : arguments;
        }));
        return session;
    }
}
