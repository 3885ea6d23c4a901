package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Stochastic;
import uzu.backend.Executable;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.HfFolder;
import uzu.model.BlockNetwork;
import uzu.model.LanguageModel;
import uzu.speculate.BlockDrafter;
import uzu.speculate.Conditions;
import uzu.speculate.Draft;
import uzu.speculate.Drafter;
import uzu.speculate.Lookup;
import uzu.speculate.PassCostStore;
import uzu.speculate.PassCosts;
import uzu.speculate.Proposals;
import uzu.speculate.Proposer;
import uzu.speculate.Speculation;
import uzu.speculate.TokenPath;

/**
 * The block drafter in the loop: replies are those of plain decoding, and what it says after a token is the same, bit for
 * bit, whether the tokens before were accepted from trees or drawn one by one, alone or beside another reply.
 */
@Timeout(120)
class BlockDraftsTest extends ToyConversations {
    private static final Path TARGET = Path.of("src/test/resources/checkpoints/qwen3");
    private static final Path FOLDER = Path.of("src/test/resources/speculators/qwen3");
    private static final int LIMIT = 120;

    /** What the drafter said at a draft's root, by the length of the path. */
    private static final class Said {
        final Map<Integer, String> after = new TreeMap<>();
        int proposals;
    }

    /**
     * Writes down what the drafter says, and says it, or not.
     *
     * @param said of each conversation, in the order of their beginning
     */
    private record Overheard(BlockDrafter drafter, boolean silent, List<Said> said) implements Drafter {
        @Override
        public String name() {
            return silent ? "silent" : "overheard";
        }

        @Override
        public Proposer proposer() {
            Proposer inner = drafter.proposer();
            Said here = new Said();
            said.add(here);
            return new Proposer() {
                private int length;

                @Override
                public void truncate(int to) {
                    inner.truncate(to);
                }

                @Override
                public void committed(TokenPath path, int from, int[] rows, Executable target) {
                    inner.committed(path, from, rows, target);
                }

                @Override
                public void begin(TokenPath path, Conditions conditions) {
                    length = path.size();
                    inner.begin(path, conditions);
                }

                @Override
                public void propose(Draft draft, int node, Proposals into) {
                    Proposals own = new Proposals();
                    inner.propose(draft, node, own);
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < own.size(); i++) {
                        text.append(own.token(i))
                                .append(' ')
                                .append(own.probability(i))
                                .append(", ");
                        if (!silent) {
                            into.add(own.token(i), own.probability(i));
                        }
                    }
                    here.proposals += own.size();
                    if (node == 0) {
                        here.after.put(length, text.toString());
                    }
                }

                @Override
                public void close() {
                    inner.close();
                }
            };
        }
    }

    /** Rows that cost nothing, as the clock stands still too: every draft pays. */
    private static final PassCostStore FLAT = new PassCostStore() {
        @Override
        public PassCosts load() {
            return new PassCosts(new int[] {1, 64}, new double[] {1, 1});
        }

        @Override
        public void save(PassCosts costs) {}
    };

    private interface Use {
        void of(Instance instance, BlockDrafter drafter);
    }

    private void on(int threads, int maxRows, Use use) {
        CpuOptions options = CpuOptions.defaults().withThreads(threads).withMaxRows(maxRows);
        try (HfFolder checkpoint = HfFolder.open(TARGET);
                HfFolder folder = HfFolder.open(FOLDER);
                CpuBackend backend = CpuBackend.open(options);
                LanguageModel model = LanguageModel.load(checkpoint, backend);
                BlockDrafter drafter =
                        new BlockDrafter(BlockNetwork.load(folder, model, backend), model.executable(), null);
                Instance instance = new Instance(
                        model.executable(), tokenizer, model.vocabularySize(), new int[0], FLAT, () -> 0)) {
            use.of(instance, drafter);
        }
    }

    private static SamplingMethod method(double temperature) {
        return temperature == 0
                ? new SamplingMethod.Greedy()
                : Stochastic.create().withTemperature(temperature).withRepetitionPenalty(1.1);
    }

    private RequestBuilder request(double temperature, Drafter... drafters) {
        return request(PROMPT)
                .method(method(temperature))
                .seed(3)
                .limit(LIMIT)
                .logprobs(0)
                .speculation(new Speculation(List.of(drafters), 24));
    }

    private static List<Integer> tokens(Output.Piece piece) {
        List<Integer> tokens = new ArrayList<>();
        piece.logprobs().forEach(logprob -> tokens.add(logprob.token()));
        return tokens;
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 256", "0, 2, 6", "0.7, 2, 256", "1.2, 1, 9"})
    void whatItSaysDoesntDependOnHowTheTokensCame(double temperature, int threads, int maxRows) {
        List<Integer> expected = new ArrayList<>();
        Map<Integer, String> before = new TreeMap<>();
        on(threads, maxRows, (instance, drafter) -> {
            Overheard plain = new Overheard(drafter, true, new ArrayList<>());
            expected.addAll(tokens(rest(start(instance, instance.newContext(), request(temperature, plain)))));
            before.putAll(plain.said.getFirst().after);
        });
        on(threads, maxRows, (instance, drafter) -> {
            Overheard drafted = new Overheard(drafter, false, new ArrayList<>());
            List<Integer> actual =
                    tokens(rest(start(instance, instance.newContext(), request(temperature, new Lookup(), drafted))));
            assertEquals(expected, actual);
            assertEquals(LIMIT, actual.size());
            Said said = drafted.said.getFirst();
            assertTrue(said.proposals > said.after.size(), "nothing was proposed below a root");
            assertTrue(temperature > 0 || said.after.size() < before.size(), "nothing was accepted");
            said.after.forEach((length, here) -> assertEquals(before.get(length), here, "after " + length));
        });
    }

    @Test
    void conversationsBesideOneAnotherKeepTheirOwnContext() {
        on(2, 256, (instance, drafter) -> {
            Overheard alone = new Overheard(drafter, true, new ArrayList<>());
            Output.Piece expected = rest(start(instance, instance.newContext(), request(0.7, alone)));
            Overheard among = new Overheard(drafter, false, new ArrayList<>());
            Output first = start(instance, instance.newContext(), request(0.7, among));
            Output second = start(instance, instance.newContext(), request(1.2, among));
            assertEquals(tokens(expected), tokens(rest(first)));
            rest(second);
            assertTrue(among.said.getFirst().proposals > 0);
            assertTrue(among.said.getLast().proposals > 0);
            Map<Integer, String> before = alone.said.getFirst().after;
            among.said
                    .getFirst()
                    .after
                    .forEach((length, said) -> assertEquals(before.get(length), said, "after " + length));
        });
    }

    @Test
    void aConversationThatGoesOnElsewhereIsDraftedFromWhereItStands() {
        on(1, 256, (instance, drafter) -> {
            Overheard used = new Overheard(drafter, false, new ArrayList<>());
            Context context = instance.newContext();
            rest(start(
                    instance,
                    context,
                    request(PROMPT.substring(0, 30) + " otherwise, at length")
                            .limit(20)
                            .speculation(new Speculation(List.of(used), 24))));
            used.said.getFirst().after.clear();
            Output.Piece actual = rest(start(instance, context, request(0, used)));
            Overheard fresh = new Overheard(drafter, true, new ArrayList<>());
            Output.Piece expected = rest(start(instance, instance.newContext(), request(0, fresh)));
            assertEquals(tokens(expected), tokens(actual));
            assertTrue(used.said.getFirst().proposals > 0);
            Map<Integer, String> before = fresh.said.getFirst().after;
            used.said
                    .getFirst()
                    .after
                    .forEach((length, said) ->
                            assertEquals(Objects.requireNonNull(before.get(length)), said, "after " + length));
        });
    }
}
