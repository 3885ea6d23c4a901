package uzu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.ChatConfig;
import uzu.ChatDrafter;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatSession;
import uzu.ChatSpeculationPreset;
import uzu.SamplingMethod;
import uzu.generate.SteadyInstance;
import uzu.generate.ToyExecutable;
import uzu.generate.ToyTokenizer;

/** What a model said in one conversation drafts in the next ones, and changes nothing that they say. */
@Timeout(60)
class RecalledConversationsTest {
    private static final ChatSpeculationPreset OFF = new ChatSpeculationPreset.Off();
    private static final ChatSpeculationPreset RECALL = ChatSpeculationPreset.Custom.of(new ChatDrafter.Recall());
    private static final ChatReplyConfig SAMPLED = ChatReplyConfig.create()
            .withTokenLimit(80)
            .withSamplingMethod(SamplingMethod.Stochastic.create().withTemperature(0.8))
            .withSeed(7L);
    private static final String QUESTION = "What is the weather like?";

    private final LoadedModel model = model();

    @AfterEach
    void close() {
        model.close();
    }

    @Test
    void theSameQuestionIsAnsweredInFewerPassesTheSecondTime() {
        String plain = answer(OFF, QUESTION).message().text();
        ChatReply first = answer(RECALL, QUESTION);
        assertEquals(plain, first.message().text());
        assertEquals(0, stats(first).numTokensDrafted());
        assertEquals(1, stats(first).tokensPerForwardPass());
        ChatReply second = answer(RECALL, QUESTION);
        assertEquals(plain, second.message().text());
        assertTrue(stats(second).tokensPerForwardPass() > 4, second.stats().toString());
    }

    @Test
    void repliesWithoutSpeculationAreNotRemembered() {
        answer(OFF, QUESTION);
        assertEquals(0, stats(answer(RECALL, QUESTION)).numTokensDrafted());
    }

    @Test
    void aReplyIsRecalledOnceItsConversationGoesOn() {
        try (ChatSession session = session(RECALL)) {
            ChatReply first = reply(session, QUESTION);
            reply(session, "And then?");
            ChatReply again = answer(RECALL, QUESTION);
            assertEquals(first.message().text(), again.message().text());
            assertTrue(stats(again).tokensPerForwardPass() > 4, again.stats().toString());
        }
    }

    private ChatReply answer(ChatSpeculationPreset preset, String text) {
        try (ChatSession session = session(preset)) {
            return reply(session, text);
        }
    }

    private static ChatReply reply(ChatSession session, String text) {
        return session.reply(List.of(ChatMessage.user().withText(text)), SAMPLED)
                .getFirst();
    }

    private ChatSession session(ChatSpeculationPreset preset) {
        assertTrue(model.acquire());
        return new LocalChatSession(model, ChatConfig.create().withSpeculationPreset(preset));
    }

    private static ChatReplySpeculatorStats stats(ChatReply reply) {
        return Objects.requireNonNull(reply.stats().speculatorStats());
    }

    private static LoadedModel model() {
        ToyTokenizer tokenizer = new ToyTokenizer();
        Prompts prompts = new Prompts(tokenizer, ScriptedModel.TEMPLATE);
        ToyExecutable executable = new ToyExecutable(64, ToyExecutable.hashed());
        return new LoadedModel(
                new ModelFiles(tokenizer, prompts, 4096, new SamplingMethod.Greedy()),
                4096,
                SteadyInstance.of(executable),
                new ModelDrafters(Path.of("toy"), tokenizer),
                0,
                () -> {},
                unused -> {});
    }
}
