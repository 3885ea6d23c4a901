package uzu.app.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.ChatConfig;
import uzu.ChatInstance;
import uzu.ChatMessage;
import uzu.ChatReply;
import uzu.ChatReplyConfig;
import uzu.ChatSession;
import uzu.ChatSpeculationPreset;
import uzu.Engine;
import uzu.Grammar;
import uzu.Model;
import uzu.SamplingMethod;
import uzu.UzuException;

/** Replies of real models to fifty tasks, each judged by another implementation of JSON Schema. */
@Timeout(1800)
class StructuredRepliesTest {
    private static final String SMALL = "smollm2";
    private static final String LARGER = "qwen2.5-coder:0.5b";

    private static final List<SamplingMethod> METHODS = List.of(
            new SamplingMethod.Greedy(),
            SamplingMethod.Stochastic.create().withTemperature(0.4),
            SamplingMethod.Stochastic.create()
                    .withTemperature(0.8)
                    .withTopP(0.95)
                    .withRepetitionPenalty(1.1),
            SamplingMethod.Stochastic.create().withTemperature(1),
            SamplingMethod.Stochastic.create().withTemperature(1.5));

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final List<String> faults = new ArrayList<>();
    private int replies;

    @Test
    void aSampleIsValid() {
        run(SMALL, 1, 4, 0, 64);
        assertEquals(List.of(), faults, () -> "seed " + seed);
        assertTrue(replies >= 11, "replies: " + replies);
    }

    @Tag("full")
    @Test
    void fiveHundredAreValid() {
        run(SMALL, 8, 1, 0, 400);
        run(LARGER, 2, 1, 3, 200);
        assertEquals(List.of(), faults, () -> "seed " + seed);
        assertTrue(replies >= 480, "replies: " + replies);
    }

    /**
     * @param step 1: all tasks, 4: every fourth
     * @param tokens most that a reply may have, where the limit isn't as tight as can be
     */
    private void run(String identifier, int rounds, int step, int from, int tokens) {
        try (Engine engine = Engine.create()) {
            Model model = engine.model(identifier);
            assertNotNull(model);
            assumeTrue(engine.modelPath(model) != null, identifier + " isn't downloaded");
            ChatConfig config = ChatConfig.create();
            List<GrammarTask> tasks = GrammarTask.all();
            assertEquals(50, tasks.size());
            Random random = new Random(seed);
            try (ChatInstance instance = engine.chatInstance(model, config)) {
                for (int round = 0; round < rounds; round++) {
                    ChatConfig variant = config.withSpeculationPreset(
                            round % 2 == 0 ? new ChatSpeculationPreset.Auto() : new ChatSpeculationPreset.Off());
                    for (int i = 0; i < tasks.size(); i += step) {
                        try (ChatSession session = engine.chat(model, variant)) {
                            SamplingMethod method = METHODS.get((round + from + i) % METHODS.size());
                            int limit = (round / 2 + i) % 3 == 0 ? 0 : tokens;
                            reply(session, tasks.get(i), method, limit, random.nextInt(1 << 20));
                        }
                    }
                }
            }
        }
    }

    /** @param limit 0: as few tokens as suffice */
    private void reply(ChatSession session, GrammarTask task, SamplingMethod method, int limit, int own) {
        ChatReplyConfig config = ChatReplyConfig.create()
                .withGrammar(new Grammar.JsonSchema(task.schema()))
                .withSamplingMethod(method)
                .withSeed((long) own)
                .withTokenLimit(Math.max(limit, 1));
        String what = task.name() + ", " + method + ", at most " + limit + " tokens, seed " + own;
        List<ChatMessage> messages = List.of(ChatMessage.user().withText(task.prompt() + " Answer as JSON."));
        ChatReply reply;
        try {
            try {
                reply = session.reply(messages, config).getFirst();
            } catch (UzuException.GrammarDeadEnd tooFew) {
                String least = tooFew.details().get("tokens");
                if (least == null) {
                    throw tooFew;
                }
                session.reset();
                reply = session.reply(messages, config.withTokenLimit(Integer.parseInt(least)))
                        .getFirst();
            }
        } catch (UzuException e) {
            faults.add(what + ": " + e);
            return;
        }
        replies++;
        judge(task, reply.message().text(), what);
    }

    private void judge(GrammarTask task, String text, String what) {
        Schema schema = registry.getSchema(task.schema(), InputFormat.JSON);
        try {
            var errors = schema.validate(text, InputFormat.JSON);
            if (!errors.isEmpty()) {
                faults.add(what + ": " + errors + " in " + text);
            }
        } catch (RuntimeException noJson) {
            faults.add(what + ": " + noJson + " in " + text);
        }
    }
}
