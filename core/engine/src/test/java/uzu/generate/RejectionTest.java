package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uzu.ChatReplySpeculatorStats;
import uzu.ChatVerifier;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Greedy;
import uzu.SamplingMethod.Stochastic;
import uzu.speculate.Drafter;
import uzu.speculate.Speculation;

/** Replies judged by min(1, p/q) are distributed as plain ones: χ² over whole replies of four tokens. */
@Timeout(120)
class RejectionTest extends ToyConversations {
    private static final int LETTERS = 4;
    private static final int LENGTH = 4;
    private static final int REPLIES = 10_000;

    /** Says "abcd" by chances that follow from the last two tokens. */
    private static float logit(List<Integer> path, int letter, int salt, float spread) {
        int last = path.size() - 1;
        long state = path.get(last) * 31L + (last > 0 ? path.get(last - 1) : 0) * 7919L + letter * 104729L + salt;
        state *= 0x9E3779B97F4A7C15L;
        state ^= state >>> 31;
        state *= 0xBF58476D1CE4E5B9L;
        return spread * ((state >>> 40) / (float) (1 << 24) - 0.5f);
    }

    private static ToyExecutable executable() {
        return new ToyExecutable(64, (path, into) -> {
            List<Integer> tokens = Arrays.stream(path).boxed().toList();
            Arrays.fill(into, Float.NEGATIVE_INFINITY);
            for (int letter = 0; letter < LETTERS; letter++) {
                into['a' + letter] = logit(tokens, letter, 1, 5);
            }
        });
    }

    private record Scenario(String name, Stochastic method, List<Drafter> drafters, int maxNodes) {
        @Override
        public String toString() {
            return name + ", " + maxNodes + " nodes";
        }
    }

    static Stream<Scenario> scenarios() {
        Stochastic warm = Stochastic.create().withTemperature(0.7);
        Stochastic plain = Stochastic.create();
        Stochastic hot = Stochastic.create().withTemperature(1.6);
        Drafter certain = certain(3);
        Drafter near = drawn("near", 1, 4, 2.5f);
        Drafter poor = drawn("poor", 5, 3, 6);
        Drafter far = new Guesser("far", (path, into) -> {
            into.add('z', 0.5f);
            into.add('d', 0.3f);
            into.add('a', 0.2f);
        });
        return Stream.of(
                new Scenario("one certain guess", plain, List.of(certain(1)), 6),
                new Scenario("drawn near the model", plain, List.of(near), 2),
                new Scenario("drawn near the model", plain, List.of(near), 5),
                new Scenario("drawn near the model", warm, List.of(near), 24),
                new Scenario("drawn far from the model", hot, List.of(poor), 24),
                new Scenario("guesses that the model never says", plain, List.of(far), 12),
                new Scenario("several drafters", warm, List.of(near, certain, poor), 16),
                new Scenario("top-k", plain.withTopK(2), List.of(near), 12),
                new Scenario("top-p", hot.withTopP(0.7), List.of(near, certain), 12),
                new Scenario("min-p", plain.withMinP(0.3), List.of(poor), 12),
                new Scenario("presence", plain.withPresencePenalty(1.5), List.of(near), 12),
                new Scenario("bias", warm.withLogitBias(Map.of((int) 'b', 2.0)), List.of(near, poor), 12));
    }

    private static Drafter certain(int salt) {
        return new Guesser("certain", (path, into) -> {
            int best = 0;
            for (int letter = 1; letter < LETTERS; letter++) {
                best = logit(path, letter, salt, 1) > logit(path, best, salt, 1) ? letter : best;
            }
            into.add('a' + best, 0.9f);
        });
    }

    /** Proposes some letters by chances that come from other logits: the model's own, flatter, where the salt is 1. */
    private static Drafter drawn(String name, int salt, int letters, float spread) {
        return new Guesser(name, (path, into) -> {
            double[] weights = new double[letters];
            for (int letter = 0; letter < letters; letter++) {
                weights[letter] = Math.exp(logit(path, letter, salt, spread));
            }
            double sum = Arrays.stream(weights).sum();
            IntStream.range(0, letters)
                    .boxed()
                    .sorted(Comparator.comparingDouble(letter -> -weights[letter]))
                    .forEach(letter -> into.add('a' + letter, (float) (weights[letter] / sum)));
        });
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void repliesAreDistributedAsPlainOnes(Scenario scenario) {
        Map<String, Integer> counts = new HashMap<>();
        Speculation speculation = new Speculation(scenario.drafters(), scenario.maxNodes(), ChatVerifier.REJECTION);
        int drafted = 0;
        int accepted = 0;
        int deepest = 0;
        try (Instance instance = drafting(executable())) {
            Context context = instance.newContext();
            for (int seed = 0; seed < REPLIES; seed++) {
                Output.Piece reply = rest(start(
                        instance,
                        context,
                        request("xa")
                                .seed(seed)
                                .limit(LENGTH)
                                .method(scenario.method())
                                .speculation(speculation)));
                counts.merge(reply.text(), 1, Integer::sum);
                ChatReplySpeculatorStats stats =
                        Objects.requireNonNull(reply.stats().speculatorStats());
                drafted += stats.numTokensDrafted();
                accepted += stats.numTokensAccepted();
                deepest = Math.max(deepest, stats.passesByAccepted().size() - 1);
            }
        }
        assertTrue(drafted > REPLIES && accepted > REPLIES / 10, drafted + " drafted, " + accepted + " accepted");
        assertEquals(Math.min(LENGTH, scenario.maxNodes()) - 1, deepest, "drafted tokens accepted in a pass");
        assertFollows(expected(scenario.method()), counts);
    }

    /**
     * With fixed seeds the sum is always the same, so the bound only has to tell a right verifier from a wrong one: it
     * is the quantile for one in 10,000, by Wilson and Hilferty's approximation.
     */
    private static void assertFollows(Map<String, Double> expected, Map<String, Integer> counts) {
        double sum = 0;
        int cells = 0;
        double rareMean = 0;
        int rare = 0;
        int seen = 0;
        for (Map.Entry<String, Double> each : expected.entrySet()) {
            double mean = REPLIES * each.getValue();
            int count = counts.getOrDefault(each.getKey(), 0);
            seen += count;
            if (mean < 5) {
                rareMean += mean;
                rare += count;
            } else {
                sum += (count - mean) * (count - mean) / mean;
                cells++;
            }
        }
        assertEquals(REPLIES, seen, "replies that plain decoding can make");
        if (rareMean >= 5) {
            sum += (rare - rareMean) * (rare - rareMean) / rareMean;
            cells++;
        }
        double freedom = cells - 1;
        double spread = 2 / (9 * freedom);
        double bound = freedom * Math.pow(1 - spread + 3.719 * Math.sqrt(spread), 3);
        assertTrue(freedom > 5 && sum < bound, "χ² is " + sum + " with " + freedom + " degrees of freedom");
    }

    /** The chance of each reply. */
    private static Map<String, Double> expected(Stochastic method) {
        Map<String, Double> chances = new HashMap<>();
        extend(method, new ArrayList<>(List.of((int) 'x', (int) 'a')), 1, chances);
        return chances;
    }

    private static void extend(Stochastic method, List<Integer> path, double chance, Map<String, Double> into) {
        if (path.size() == 2 + LENGTH) {
            StringBuilder text = new StringBuilder();
            path.subList(2, path.size()).forEach(token -> text.append((char) (int) token));
            into.put(text.toString(), chance);
            return;
        }
        double[] step = step(method, path);
        for (int letter = 0; letter < LETTERS; letter++) {
            if (step[letter] > 0) {
                path.add('a' + letter);
                extend(method, path, chance * step[letter], into);
                path.removeLast();
            }
        }
    }

    private static double[] step(Stochastic method, List<Integer> path) {
        double[] logits = new double[LETTERS];
        for (int letter = 0; letter < LETTERS; letter++) {
            int token = 'a' + letter;
            logits[letter] = logit(path, letter, 1, 5) + method.logitBias().getOrDefault(token, 0.0);
            if (method.presencePenalty() != null && path.subList(2, path.size()).contains(token)) {
                logits[letter] -= method.presencePenalty();
            }
        }
        return filtered(method, softmax(logits, Objects.requireNonNull(temperature(method))));
    }

    private static double temperature(Stochastic method) {
        return method.temperature() == null ? 1 : method.temperature();
    }

    private static double[] softmax(double[] logits, double temperature) {
        double[] p = Arrays.stream(logits).map(l -> Math.exp(l / temperature)).toArray();
        double sum = Arrays.stream(p).sum();
        return Arrays.stream(p).map(each -> each / sum).toArray();
    }

    private static double[] filtered(Stochastic method, double[] p) {
        List<Integer> order = IntStream.range(0, LETTERS)
                .boxed()
                .sorted(Comparator.comparingDouble(letter -> -p[letter]))
                .toList();
        double[] kept = new double[LETTERS];
        double before = 0;
        for (int rank = 0; rank < LETTERS; rank++) {
            int letter = order.get(rank);
            boolean keeps = (method.topK() == null || rank < method.topK())
                    && (method.topP() == null || before < method.topP())
                    && (method.minP() == null || p[letter] >= method.minP() * p[order.getFirst()]);
            kept[letter] = keeps ? p[letter] : 0;
            before += p[letter];
        }
        double sum = Arrays.stream(kept).sum();
        return Arrays.stream(kept).map(each -> each / sum).toArray();
    }

    @Test
    void theSameSeedAndDraftsGiveTheSameReply() {
        Speculation speculation = new Speculation(List.of(drawn("near", 1, 4, 2)), 12, ChatVerifier.REJECTION);
        List<String> first = replies(speculation, Stochastic.create());
        assertEquals(first, replies(speculation, Stochastic.create()));
    }

    @Test
    void withoutDraftsOrChanceItIsPlainDecoding() {
        Drafter silent = new Guesser("silent", (path, into) -> {});
        Drafter near = drawn("near", 1, 4, 2);
        assertEquals(
                replies(Speculation.off(), Stochastic.create()),
                replies(new Speculation(List.of(silent), 12, ChatVerifier.REJECTION), Stochastic.create()));
        assertEquals(
                replies(Speculation.off(), new Greedy()),
                replies(new Speculation(List.of(near), 12, ChatVerifier.REJECTION), new Greedy()));
    }

    private List<String> replies(Speculation speculation, SamplingMethod method) {
        try (Instance instance = drafting(executable())) {
            return IntStream.range(0, 50)
                    .mapToObj(seed -> text(
                            instance,
                            instance.newContext(),
                            request("xa").seed(seed).limit(20).method(method).speculation(speculation)))
                    .toList();
        }
    }
}
