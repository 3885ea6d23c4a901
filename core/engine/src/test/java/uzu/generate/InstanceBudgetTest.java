package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uzu.SamplingMethod.Greedy;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.backend.Sequence;
import uzu.speculate.Conditions;
import uzu.speculate.Draft;
import uzu.speculate.Drafter;
import uzu.speculate.PassCostStore;
import uzu.speculate.PassCosts;
import uzu.speculate.Proposals;
import uzu.speculate.Proposer;
import uzu.speculate.Speculation;
import uzu.speculate.TokenPath;

/** What replies take with drafters that are right or wrong, on a machine whose passes move the clock. */
@Timeout(60)
class InstanceBudgetTest extends ToyConversations {
    private static final String TEXT = "The rain in Spain falls mainly in the plain. ".repeat(20);

    private final AtomicLong clock = new AtomicLong();

    /** A pass takes 10 ms with one row and 1.5 ms more for each other one. */
    private final class Timed implements Executable {
        private final ToyExecutable toy = new ToyExecutable(64, ToyExecutable.scripted(PROMPT.length(), TEXT));

        @Override
        public int maxRows() {
            return toy.maxRows();
        }

        @Override
        public Sequence newSequence() {
            return toy.newSequence();
        }

        @Override
        public boolean run(Batch batch, BooleanSupplier cancelled, @Nullable Tracer tracer) {
            clock.addAndGet(10_000_000 + 1_500_000L * (batch.size() - 1));
            return toy.run(batch, cancelled, tracer);
        }

        @Override
        public int best(int row) {
            return toy.best(row);
        }

        @Override
        public void logits(int row, float[] into) {
            toy.logits(row, into);
        }

        @Override
        public Logits logits(int row) {
            return toy.logits(row);
        }

        @Override
        public long weightBytes() {
            return 0;
        }

        @Override
        public long memoryBytes() {
            return toy.memoryBytes();
        }

        @Override
        public void close() {}
    }

    /** Nanoseconds a token that the drafter takes to follow the conversation. */
    private long following;

    /** Claims to be nearly certain of what follows in {@link #TEXT}, or of something else. */
    private final class Parrot implements Drafter {
        private final boolean right;

        Parrot(boolean right) {
            this.right = right;
        }

        @Override
        public String name() {
            return "parrot";
        }

        @Override
        public double seconds() {
            return following / 1e9;
        }

        @Override
        public Proposer proposer() {
            int[] script = tokenizer.encode(TEXT, false);
            return new Proposer() {
                private int said;

                @Override
                public void truncate(int length) {}

                @Override
                public void committed(TokenPath path, int from, int[] rows, Executable target) {
                    clock.addAndGet(following * rows.length);
                }

                @Override
                public void begin(TokenPath path, Conditions conditions) {
                    said = path.size() - PROMPT.length();
                    clock.addAndGet(20_000);
                }

                @Override
                public void propose(Draft draft, int node, Proposals into) {
                    int at = said + draft.depth(node);
                    if (at < script.length) {
                        into.add(right ? script[at] : script[at] ^ 1, 0.9f);
                    }
                }
            };
        }
    }

    private Instance instance() {
        PassCosts costs = new PassCosts(new int[] {1, 32}, new double[] {0.010, 0.0565});
        PassCostStore store = new PassCostStore() {
            @Override
            public PassCosts load() {
                return costs;
            }

            @Override
            public void save(PassCosts learned) {}
        };
        int[] ends = {ToyTokenizer.END};
        return new Instance(new Timed(), tokenizer, ToyExecutable.VOCABULARY, ends, store, clock::get);
    }

    private long nanos(int replies, Speculation speculation) {
        clock.set(0);
        try (Instance instance = instance()) {
            for (int i = 0; i < replies; i++) {
                assertEquals(
                        TEXT.substring(0, 400),
                        text(
                                instance,
                                instance.newContext(),
                                request(PROMPT).method(new Greedy()).limit(400).speculation(speculation)));
            }
        }
        return clock.get();
    }

    @Test
    void wrongDraftersCostLessThanThreePercent() {
        double plain = nanos(5, Speculation.off());
        double drafting = nanos(5, new Speculation(List.of(new Parrot(false)), 32));
        assertTrue(drafting / plain < 1.03, drafting / plain + " times as long");
    }

    @Test
    void whatDraftersReadOfThePromptIsTimeInDrafters() {
        following = 1_000_000;
        try (Instance instance = instance()) {
            Output.Piece reply = rest(start(
                    instance,
                    instance.newContext(),
                    request(PROMPT)
                            .method(new Greedy())
                            .limit(1)
                            .speculation(new Speculation(List.of(new Parrot(true)), 32))));
            assertEquals(
                    PROMPT.length() / 1000.0,
                    Objects.requireNonNull(reply.stats().speculatorStats()).draftingSeconds(),
                    1e-9);
        }
    }

    @Test
    void rightDraftersMultiplySpeed() {
        double plain = nanos(2, Speculation.off());
        double drafting = nanos(2, new Speculation(List.of(new Parrot(true)), 32));
        assertTrue(plain / drafting > 2.5, plain / drafting + " times as fast");
    }
}
