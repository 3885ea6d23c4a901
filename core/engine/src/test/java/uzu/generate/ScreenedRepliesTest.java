package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.ChatReplySpeculatorStats;
import uzu.SamplingMethod.Greedy;
import uzu.SamplingMethod.Stochastic;
import uzu.TokenLogprob;
import uzu.backend.cpu.PassProfile;
import uzu.speculate.Drafter;
import uzu.speculate.Lookup;
import uzu.speculate.PassCostStore;
import uzu.speculate.PassCosts;
import uzu.speculate.Speculation;

/**
 * Greedy replies as nearly everybody asks for them, without log probabilities: passes settle only which token is the
 * likeliest, by a screen. With drafts they are, token for token, those without, and those of passes that read all logits.
 */
@Timeout(120)
class ScreenedRepliesTest extends ToyConversations {
    private static final int PROMPTS = 60;
    private static final int LIMIT = 40;
    /** Rows of a pass that is screened. */
    private static final int FEW = 4;

    private static final PassCostStore FREE = new PassCostStore() {
        @Override
        public PassCosts load() {
            return new PassCosts(new int[] {1, 64}, new double[] {1, 1});
        }

        @Override
        public void save(PassCosts costs) {}
    };

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private int drafted;
    private int accepted;

    /** Rows cost nothing, so that drafts are as large as they may be. */
    private static Instance instance(ScreenedModel model) {
        return new Instance(
                model.executable(),
                new CharacterTokenizer(ScreenedModel.VOCABULARY),
                ScreenedModel.VOCABULARY,
                new int[0],
                FREE,
                () -> 0);
    }

    /** Random tokens, some of them twice, so that there is something to look up. */
    private int[] prompt() {
        int[] prompt =
                random.ints(1 + random.nextInt(30), 0, ScreenedModel.VOCABULARY).toArray();
        for (int i = prompt.length / 2; i < prompt.length && random.nextInt(8) > 0; i++) {
            prompt[i] = prompt[i - prompt.length / 2];
        }
        return prompt;
    }

    private static RequestBuilder greedy(int[] prompt) {
        return new RequestBuilder(prompt).method(new Greedy()).limit(LIMIT);
    }

    private int[] tokens(Instance instance, RequestBuilder request) {
        return tokens(start(instance, instance.newContext(), request));
    }

    private int[] tokens(Output output) {
        Output.Piece reply = rest(output);
        ChatReplySpeculatorStats stats = reply.stats().speculatorStats();
        drafted += stats == null ? 0 : stats.numTokensDrafted();
        accepted += stats == null ? 0 : stats.numTokensAccepted();
        int[] tokens = CharacterTokenizer.tokens(reply.text());
        assertEquals(reply.stats().tokensCountOutput(), tokens.length);
        return tokens;
    }

    /** As sure of its wrong guesses as of its right ones, so that nothing learns to leave these out. */
    private static Drafter guesser(List<Integer> text, double wrong, long seed) {
        return new Guesser("wrong " + wrong, (path, into) -> {
            Random random = new Random(seed + path.hashCode());
            int length = path.size();
            boolean knows = length < text.size() && text.subList(0, length).equals(path);
            boolean right = knows && random.nextDouble() >= wrong;
            into.add(right ? text.get(length) : random.nextInt(ScreenedModel.VOCABULARY), 0.6f);
        });
    }

    /** The usual drafters, and some that are right always, often and seldom: one of them, or all. */
    private List<Drafter> drafters(int[] prompt, int[] reply) {
        List<Integer> text = IntStream.concat(IntStream.of(prompt), IntStream.of(reply))
                .boxed()
                .toList();
        List<List<Integer>> texts = List.of(text);
        List<Drafter> all = new ArrayList<>(
                List.of(new Lookup(), TextDrafters.recall(texts, prompt.length), TextDrafters.tables(texts)));
        for (double wrong : new double[] {0, 0.3, 0.8}) {
            all.add(guesser(text, wrong, random.nextLong()));
        }
        int chosen = random.nextInt(all.size() + 1);
        return chosen < all.size() ? List.of(all.get(chosen)) : all;
    }

    private Speculation speculation(int[] prompt, int[] reply, int most) {
        return new Speculation(drafters(prompt, reply), 2 + random.nextInt(most - 1));
    }

    private void assertSame(int[] expected, int[] actual, String what) {
        assertArrayEquals(expected, actual, "seed " + seed + ", " + what);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void draftsChangeNoTokenThatTheScreenFinds(int threads) {
        System.out.println("ScreenedRepliesTest seed " + seed);
        try (ScreenedModel model = new ScreenedModel(seed, threads);
                PassProfile profile = PassProfile.start(model.executable())) {
            List<int[]> prompts = new ArrayList<>();
            List<int[]> replies = new ArrayList<>();
            try (Instance instance = instance(model)) {
                for (int i = 0; i < PROMPTS; i++) {
                    prompts.add(prompt());
                    replies.add(tokens(instance, greedy(prompts.get(i))));
                    assertEquals(LIMIT, replies.get(i).length);
                    Speculation few = speculation(prompts.get(i), replies.get(i), FEW);
                    assertSame(
                            replies.get(i),
                            tokens(instance, greedy(prompts.get(i)).speculation(few)),
                            "prompt " + i);
                }
            }
            assertEquals(FEW, settledDepths(profile));
            assertFalse(readsAll(profile), "some passes weren't screened");
            try (Instance instance = instance(model)) {
                for (int i = 0; i < PROMPTS; i++) {
                    Output.Piece all = rest(start(
                            instance,
                            instance.newContext(),
                            greedy(prompts.get(i)).logprobs(0)));
                    int[] tokens = all.logprobs().stream()
                            .mapToInt(TokenLogprob::token)
                            .toArray();
                    assertSame(tokens, replies.get(i), "prompt " + i + " by all logits");
                    Speculation many = speculation(prompts.get(i), replies.get(i), 32);
                    assertSame(
                            tokens,
                            tokens(instance, greedy(prompts.get(i)).speculation(many)),
                            "prompt " + i + " with many rows");
                }
            }
            assertTrue(readsAll(profile));
        }
        assertTrue(accepted > 5 * PROMPTS, accepted + " drafted tokens accepted");
        assertTrue(drafted - accepted > 5 * PROMPTS, drafted - accepted + " drafted tokens refused");
    }

    /** Depths of a draft that passes settled on their own. */
    private static int settledDepths(PassProfile profile) {
        return profile.shares().stream()
                .filter(share -> share.name().equals("settle"))
                .mapToInt(PassProfile.Share::phases)
                .sum();
    }

    private static boolean readsAll(PassProfile profile) {
        return profile.shares().stream().anyMatch(share -> share.name().contains("Q8_0"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void norWhenOthersThatSampleHaveAllLogitsRead(int threads) {
        System.out.println("ScreenedRepliesTest seed " + seed);
        try (ScreenedModel model = new ScreenedModel(seed, threads);
                Instance instance = instance(model)) {
            for (int i = 0; i < PROMPTS / 2; i++) {
                int[] prompt = prompt();
                int[] other = prompt();
                RequestBuilder sampling = new RequestBuilder(other)
                        .method(Stochastic.create().withTemperature(0.8))
                        .seed(seed + i)
                        .limit(1 + random.nextInt(LIMIT));
                int[] expected = tokens(instance, greedy(prompt));
                int[] sampled = tokens(instance, sampling);
                List<Output> running = new ArrayList<>();
                running.add(start(
                        instance,
                        instance.newContext(),
                        greedy(prompt).speculation(speculation(prompt, expected, FEW))));
                running.add(
                        start(instance, instance.newContext(), sampling.speculation(speculation(other, sampled, FEW))));
                running.add(start(
                        instance,
                        instance.newContext(),
                        greedy(prompt).speculation(speculation(prompt, expected, 16))));
                assertSame(expected, tokens(running.get(0)), "prompt " + i);
                assertSame(sampled, tokens(running.get(1)), "sampled beside prompt " + i);
                assertSame(expected, tokens(running.get(2)), "prompt " + i + " again");
            }
        }
        assertTrue(accepted > 5 * PROMPTS, accepted + " drafted tokens accepted");
    }
}
