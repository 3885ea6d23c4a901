package uzu.app.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.org.apache.commons.validator.routines.EmailValidator;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.EmailFormat;
import com.networknt.schema.format.Format;
import com.networknt.schema.format.PatternFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** Replies that share passes. */
    private static final int AT_ONCE = 4;

    private static final List<SamplingMethod> METHODS = List.of(
            new SamplingMethod.Greedy(),
            SamplingMethod.Stochastic.create().withTemperature(0.4),
            SamplingMethod.Stochastic.create()
                    .withTemperature(0.8)
                    .withTopP(0.95)
                    .withRepetitionPenalty(1.1),
            SamplingMethod.Stochastic.create().withTemperature(1),
            SamplingMethod.Stochastic.create().withTemperature(1.5));

    /** RFC 5321, where the validator's own wants a top-level domain that is in use. */
    private static final Format EMAIL = new EmailFormat(new EmailValidator(true, true) {
        @Override
        protected boolean isValidDomain(String domain) {
            String last = "\\.(?!.{64})[A-Za-z\\d]([A-Za-z\\d-]*[A-Za-z\\d])?$";
            return super.isValidDomain(domain.replaceFirst(last, ".com"));
        }
    });

    /** RFC 6901, where the validator's own refuses a #. */
    private static final Format JSON_POINTER =
            PatternFormat.of("json-pointer", "^(/([^/~]|~[01])*)*$", "format.json-pointer");

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            Dialect.builder(Dialects.getDraft202012())
                    .format(EMAIL)
                    .format(JSON_POINTER)
                    .build(),
            builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger replies = new AtomicInteger();

    @Test
    void aSampleIsValid() {
        run(SMALL, 0, 1, 4, 0, 64);
        assertEquals(List.of(), faults, () -> "seed " + seed);
        assertEquals(13, replies.get());
    }

    /** Five hundred in all. */
    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        SMALL + ", 0, 0, 400",
        SMALL + ", 2, 0, 400",
        SMALL + ", 4, 0, 400",
        SMALL + ", 6, 0, 400",
        LARGER + ", 0, 3, 200"
    })
    void aHundredAreValid(String identifier, int firstRound, int from, int tokens) {
        run(identifier, firstRound, firstRound + 2, 1, from, tokens);
        assertEquals(List.of(), faults, () -> "seed " + seed);
        assertEquals(100, replies.get());
    }

    /**
     * @param step 1: all tasks, 4: every fourth
     * @param tokens most that a reply may have, where the limit isn't as tight as can be
     */
    private void run(String identifier, int firstRound, int endRound, int step, int from, int tokens) {
        try (Engine engine = Engine.create()) {
            Model model = engine.model(identifier);
            assertNotNull(model);
            assumeTrue(engine.modelPath(model) != null, identifier + " isn't downloaded");
            ChatConfig config = ChatConfig.create();
            List<GrammarTask> tasks = GrammarTask.all();
            assertEquals(50, tasks.size());
            Random random = new Random(seed);
            // The instance keeps the weights from one session to the next; the pool is left first.
            try (ChatInstance instance = engine.chatInstance(model, config);
                    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
                for (int round = firstRound; round < endRound; round++) {
                    ChatConfig variant = config.withSpeculationPreset(
                            round % 2 == 0 ? new ChatSpeculationPreset.Auto() : new ChatSpeculationPreset.Off());
                    for (int i = 0; i < tasks.size(); i += step) {
                        GrammarTask task = tasks.get(i);
                        SamplingMethod method = METHODS.get((round + from + i) % METHODS.size());
                        int limit = (round / 2 + i) % 3 == 0 ? 0 : tokens;
                        int own = random.nextInt(1 << 20);
                        pool.execute(() -> {
                            try (ChatSession session = engine.chat(model, variant)) {
                                reply(session, task, method, limit, own);
                            } catch (RuntimeException e) {
                                faults.add(task.name() + ", seed " + own + ": " + e);
                            }
                        });
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
        replies.incrementAndGet();
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
