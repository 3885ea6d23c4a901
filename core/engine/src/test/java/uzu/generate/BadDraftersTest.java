package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatVerifier;
import uzu.backend.Executable;
import uzu.speculate.Conditions;
import uzu.speculate.Draft;
import uzu.speculate.Drafter;
import uzu.speculate.Proposals;
import uzu.speculate.Proposer;
import uzu.speculate.Speculation;
import uzu.speculate.TokenPath;

/** Whatever a drafter does, the reply is the one that it is without. */
@Timeout(60)
class BadDraftersTest extends ToyConversations {
    private static final int LENGTH = 120;

    private final List<Throwable> told = new ArrayList<>();
    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

    @BeforeEach
    void listen() {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> told.add(error));
    }

    @AfterEach
    void restore() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    @ParameterizedTest
    @EnumSource
    void aFailingDrafterIsDroppedForTheReply(Failing.At at) {
        List<List<Integer>> texts = new ArrayList<>();
        Failing failing = new Failing(at);
        Speculation both = new Speculation(List.of(failing, Guesser.knowing(() -> texts, 0.3, 1)), 16);
        try (Instance instance = drafting(new ToyExecutable(64, ToyExecutable.hashed()))) {
            texts.add(tokens(plain(instance, 5)));
            Context context = instance.newContext();
            for (int reply = 1; reply <= 2; reply++) {
                Output.Piece with = rest(start(
                        instance,
                        context,
                        request(PROMPT).seed(5).limit(LENGTH).logprobs(0).speculation(both)));
                assertEquals(texts.getFirst(), tokens(with));
                ChatReplySpeculatorStats stats =
                        Objects.requireNonNull(with.stats().speculatorStats());
                assertTrue(stats.numTokensAccepted() > LENGTH / 2, "the other drafter still drafts");
            }
        }
        // Asked anew for each reply, and dropped at its first failure; a first reply cuts nothing off.
        int failures = switch (at) {
            case CLOSE -> 0;
            case TRUNCATE -> 1;
            default -> 2;
        };
        assertEquals(failures, told.size());
        assertEquals(failures, failing.failures.get());
    }

    @ParameterizedTest
    @EnumSource
    void whatTheHandlerOfItsFailureThrowsEndsNoReply(Failing.At at) {
        Failing failing = new Failing(at);
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            told.add(error);
            throw new AssertionError("thrown by the application", error);
        });
        Speculation bad = new Speculation(List.of(failing), 16);
        try (Instance instance = drafting(new ToyExecutable(64, ToyExecutable.hashed()))) {
            List<Integer> expected = tokens(plain(instance, 5));
            Context context = instance.newContext();
            for (int reply = 1; reply <= 2; reply++) {
                Output.Piece with = rest(start(
                        instance,
                        context,
                        request(PROMPT).seed(5).limit(LENGTH).logprobs(0).speculation(bad)));
                assertEquals(expected, tokens(with));
            }
        }
        assertEquals(failing.failures.get(), told.size());
        assertEquals(failing.failures.get() - (at == Failing.At.PROPOSER ? 2 : 0), failing.closed.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void garbageChangesNothing(int seed) {
        List<List<Integer>> texts = new ArrayList<>();
        Random random = new Random(seed);
        float[] odd = {0.9f, 0.1f, 1, 7, 0, -1, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1e-30f};
        Drafter garbage = new Guesser("garbage", (path, into) -> {
            int[] tokens = {ToyTokenizer.END, ToyTokenizer.BEGIN, -1, 258, 259, 260, Integer.MAX_VALUE, 65, 65, 66};
            for (int i = 0; i < 20; i++) {
                into.add(tokens[random.nextInt(tokens.length)], odd[random.nextInt(odd.length)]);
            }
        });
        Speculation both = new Speculation(List.of(garbage, Guesser.knowing(() -> texts, 0.5, seed)), 2 + 7 * seed);
        try (Instance instance = drafting(new ToyExecutable(20 + seed, ToyExecutable.hashed()))) {
            texts.add(tokens(plain(instance, seed)));
            Output.Piece with = rest(start(
                    instance,
                    instance.newContext(),
                    request(PROMPT).seed(seed).limit(LENGTH).logprobs(0).speculation(both)));
            assertEquals(texts.getFirst(), tokens(with));
        }
        assertEquals(List.of(), told);
    }

    @Test
    void garbageNeverEndsAReplyUnderRejectionEither() {
        Drafter garbage = new Guesser("garbage", (path, into) -> {
            into.add(259, 0.9f);
            into.add(-1, 0.9f);
            into.add(40 + path.size() % 50, Float.NaN);
            into.add(40 + path.size() % 50, 0.2f);
        });
        Speculation bad = new Speculation(List.of(garbage), 8, ChatVerifier.REJECTION);
        try (Instance instance = drafting(new ToyExecutable(20, ToyExecutable.hashed()))) {
            Output.Piece with = rest(start(
                    instance,
                    instance.newContext(),
                    request(PROMPT).limit(LENGTH).logprobs(0).speculation(bad)));
            assertEquals(PROMPT.length() + LENGTH, tokens(with).size());
        }
    }

    private Output.Piece plain(Instance instance, long seed) {
        return rest(start(
                instance,
                instance.newContext(),
                request(PROMPT).seed(seed).limit(LENGTH).logprobs(0)));
    }

    /** All of them, the prompt's first. */
    private List<Integer> tokens(Output.Piece reply) {
        List<Integer> tokens = new ArrayList<>();
        for (int token : tokenizer.encode(PROMPT, false)) {
            tokens.add(token);
        }
        reply.logprobs().forEach(l -> tokens.add(l.token()));
        return tokens;
    }

    /** Fails in one of the places where it is called. */
    private record Failing(At at, AtomicInteger failures, AtomicInteger closed) implements Drafter {
        enum At {
            PROPOSER,
            SECONDS,
            TRUNCATE,
            REPLY,
            BEGIN,
            PROPOSE,
            PROPOSE_LATER,
            COMMITTED,
            CLOSE
        }

        Failing(At at) {
            this(at, new AtomicInteger(), new AtomicInteger());
        }

        private void check(At here) {
            if (at == here) {
                failures.incrementAndGet();
                throw new IllegalStateException("broken on purpose: " + at);
            }
        }

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public double seconds() {
            check(At.SECONDS);
            return 0;
        }

        @Override
        public Proposer proposer() {
            check(At.PROPOSER);
            return new Proposer() {
                private int asked;

                @Override
                public void truncate(int length) {
                    check(At.TRUNCATE);
                }

                @Override
                public void reply(int start) {
                    check(At.REPLY);
                }

                @Override
                public void committed(TokenPath path, int from, int[] rows, Executable target) {
                    check(At.COMMITTED);
                }

                @Override
                public void begin(TokenPath path, Conditions conditions) {
                    check(At.BEGIN);
                }

                @Override
                public void propose(Draft draft, int node, Proposals into) {
                    check(At.PROPOSE);
                    into.add(70, 0.9f);
                    if (++asked == 9) {
                        check(At.PROPOSE_LATER);
                    }
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                    check(At.CLOSE);
                }
            };
        }
    }
}
