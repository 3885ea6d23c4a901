package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatVerifier;
import uzu.SamplingMethod.Stochastic;
import uzu.speculate.Constraint;
import uzu.speculate.Drafter;
import uzu.speculate.Lookup;
import uzu.speculate.Speculation;

/** Replies that obey a constraint, with drafts and without. */
@Timeout(60)
class ConstraintTest extends ToyConversations {
    /** Numbers of one to three digits with commas between; it may end after a number. */
    private record Numbers(int digits) implements Constraint {
        @Override
        public boolean accepts(int token) {
            return switch (token) {
                case ',', ToyTokenizer.END -> digits > 0;
                default -> token >= '0' && token <= '9' && digits < 3;
            };
        }

        @Override
        public Constraint after(int token) {
            return new Numbers(token == ',' ? 0 : digits + 1);
        }
    }

    /** One of some texts, whole. */
    private record OneOf(List<String> texts, int at) implements Constraint {
        private int next(String text) {
            return at == text.length() ? ToyTokenizer.END : text.charAt(at);
        }

        @Override
        public boolean accepts(int token) {
            return texts.stream().anyMatch(text -> next(text) == token);
        }

        @Override
        public Constraint after(int token) {
            return new OneOf(texts.stream().filter(text -> next(text) == token).toList(), at + 1);
        }

        @Override
        public int forced() {
            return texts.stream().mapToInt(this::next).distinct().count() == 1 ? next(texts.getFirst()) : -1;
        }
    }

    private static final List<String> ANSWERS =
            List.of("yes, most certainly so", "yes, but only on Sundays", "no, never in this life");

    private static Constraint answers() {
        return new OneOf(ANSWERS, 0);
    }

    private final Drafter wrongAsOften = new Guesser("mixed", (path, into) -> {
        int hash = path.hashCode();
        into.add('0' + Math.floorMod(hash, 10), 0.6f);
        into.add('a' + Math.floorMod(hash, 26), 0.5f);
        into.add(',', 0.3f);
        into.add(ToyTokenizer.END, 0.2f);
    });

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.7, 1.2})
    void draftsChangeNothing(double temperature) {
        for (Constraint constraint : List.of(new Numbers(0), answers())) {
            for (long seed = 0; seed < 40; seed++) {
                String expected =
                        reply(constraint, temperature, seed, Speculation.off()).text();
                Speculation mixed = new Speculation(List.of(wrongAsOften, new Lookup()), 2 + (int) seed);
                assertEquals(
                        expected, reply(constraint, temperature, seed, mixed).text(), "seed " + seed);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhatTheConstraintAcceptsIsVerified(ChatVerifier verifier) {
        List<String> verified = new CopyOnWriteArrayList<>();
        ToyExecutable executable = new ToyExecutable(64, ToyExecutable.hashed(), path -> {
            StringBuilder text = new StringBuilder();
            for (int i = PROMPT.length(); i < path.length; i++) {
                text.append(path[i] == ToyTokenizer.END ? "." : Character.toString(path[i]));
            }
            verified.add(text.toString());
        });
        Speculation mixed = new Speculation(List.of(wrongAsOften), 16, verifier);
        try (Instance instance = drafting(executable)) {
            for (int seed = 0; seed < 20; seed++) {
                text(
                        instance,
                        instance.newContext(),
                        request(PROMPT)
                                .seed(seed)
                                .limit(40)
                                .constraint(new Numbers(0))
                                .speculation(mixed));
            }
        }
        assertTrue(verified.size() > 2000);
        for (String text : verified) {
            assertTrue(text.matches("(\\d{1,3},)*(\\d{1,3}\\.?)?"), text);
        }
    }

    @ParameterizedTest
    @EnumSource
    void forcedTokensAreDraftedWithCertainty(ChatVerifier verifier) {
        Drafter silent = new Guesser("silent", (path, into) -> {});
        Speculation speculation = new Speculation(List.of(silent), 32, verifier);
        for (int seed = 0; seed < 20; seed++) {
            Output.Piece reply = reply(answers(), 1, seed, speculation);
            assertTrue(ANSWERS.contains(reply.text()), reply.text());
            ChatReplySpeculatorStats stats =
                    Objects.requireNonNull(reply.stats().speculatorStats());
            // Drawn by the model: yes or no, then what follows "yes, ", if so; all else is forced.
            assertTrue(stats.numDecodeForwardPasses() <= 3, stats.toString());
            assertEquals(stats.numTokensDrafted(), stats.numTokensAccepted());
        }
    }

    @Test
    void penaltiesAndBiasAreNoWayRoundIt() {
        Stochastic biased = Stochastic.create()
                .withRepetitionPenalty(1e9)
                .withPresencePenalty(2.0)
                .withLogitBias(java.util.Map.of((int) 'x', 1e30));
        try (Instance instance = drafting(new ToyExecutable(64, ToyExecutable.hashed()))) {
            List<String> texts = new ArrayList<>();
            for (int seed = 0; seed < 10; seed++) {
                texts.add(text(
                        instance,
                        instance.newContext(),
                        request(PROMPT).seed(seed).method(biased).constraint(answers())));
            }
            assertTrue(ANSWERS.containsAll(texts), texts.toString());
        }
    }

    private Output.Piece reply(Constraint constraint, double temperature, long seed, Speculation speculation) {
        try (Instance instance = drafting(new ToyExecutable(64, ToyExecutable.hashed()))) {
            return rest(start(
                    instance,
                    instance.newContext(),
                    request(PROMPT)
                            .seed(seed)
                            .limit(60)
                            .method(Stochastic.create().withTemperature(temperature))
                            .constraint(constraint)
                            .speculation(speculation)));
        }
    }
}
