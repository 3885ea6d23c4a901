package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
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
import uzu.ReasoningEffort;

/** Replies that begin with thinking, on a model that says what the test wants. */
@Timeout(60)
class ThinkingTest {
    private static final ChatMessage QUESTION = ChatMessage.user().withText("Weather in Zug?");

    private final List<ScriptedModel> models = new ArrayList<>();

    @AfterEach
    void close() {
        models.forEach(ScriptedModel::close);
    }

    @Test
    void aGrammarBeginsBehindTheThinking() {
        ChatReplyConfig config = ChatReplyConfig.create().withGrammar(new Grammar.Choice(List.of("wet", "dry")));
        ChatSession session = session(prompt -> "<think>It may be wet.</think>\n\ndry, I think");
        assertEquals(
                ChatMessage.assistant().withReasoning("It may be wet.").withText("dry"),
                session.reply(List.of(QUESTION), config).getFirst().message());
        ChatSession opened = opened(prompt -> "It may be wet.</think>\n\ndry, I think");
        assertEquals(
                ChatMessage.assistant().withReasoning("It may be wet.").withText("dry"),
                opened.reply(List.of(QUESTION), config).getFirst().message());
        ChatSession quick = session(prompt -> "dry, I think");
        assertEquals(
                ChatMessage.assistant().withText("dry"),
                quick.reply(List.of(QUESTION), config).getFirst().message());
    }

    @Test
    void thinkingEndsAtItsLimit() {
        ChatReplyConfig config = ChatReplyConfig.create().withReasoningTokenLimit(5);
        ChatSession opened = opened(prompt -> "It may be wet, or dry, or neither of both.");
        ChatMessage cut = opened.reply(List.of(QUESTION), config.withTokenLimit(40))
                .getFirst()
                .message();
        assertEquals("It ma", cut.reasoning());
        ChatSession session = session(prompt -> "<think>It may be wet, or dry</think>dry");
        ChatReplyConfig either = config.withGrammar(new Grammar.Choice(List.of("wet", "dry")));
        ChatMessage message =
                session.reply(List.of(QUESTION), either).getFirst().message();
        assertEquals("It ma", message.reasoning());
        assertTrue(List.of("wet", "dry").contains(message.text()), message.toString());
    }

    @Test
    void thinkingLeavesRoomForTheAnswer() {
        ChatSession opened = opened(prompt -> "It may be wet, or dry, or neither of both, or something else.");
        ChatReplyConfig config = ChatReplyConfig.create()
                .withGrammar(new Grammar.Choice(List.of("wet", "dry")))
                .withTokenLimit(40);
        ChatReply reply = opened.reply(List.of(QUESTION), config).getFirst();
        assertEquals(ChatReplyFinishReason.STOP, reply.finishReason());
        assertTrue(List.of("wet", "dry").contains(reply.message().text()), reply.toString());
    }

    @Test
    void aModelThatAlwaysThinksIsMadeToHaveThought() {
        ChatMessage quick = QUESTION.withReasoningEffort(ReasoningEffort.DISABLED);
        ChatSession opened = opened(prompt -> prompt.endsWith("<think>") ? "dry" : "wet");
        ChatReply reply = opened.reply(List.of(quick)).getFirst();
        assertNull(reply.message().reasoning());
    }

    @Test
    void whatTheModelThoughtIsABlockOfItsOwn() {
        ChatSession session = session(prompt -> "<think>Hm.</think>Yes.");
        ChatReply reply = session.reply(List.of(QUESTION)).getFirst();
        assertEquals(ChatMessage.assistant().withReasoning("Hm.").withText("Yes."), reply.message());
        assertEquals(List.of(QUESTION, reply.message()), session.messages());
    }

    /** Whose template has opened the thinking already. */
    private LocalChatSession opened(Function<String, String> script) {
        ScriptedModel model = new ScriptedModel(
                "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant><think>",
                "<assistant><think>", script);
        models.add(model);
        return model.session();
    }

    private LocalChatSession session(Function<String, String> script) {
        ScriptedModel model = new ScriptedModel(ScriptedModel.TEMPLATE, "<assistant>", script);
        models.add(model);
        return model.session();
    }
}
