package uzu.speculate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.KvCache;
import uzu.backend.Batch;
import uzu.backend.Features;
import uzu.backend.Sequence;
import uzu.backend.Wanted;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.HfFolder;
import uzu.model.BlockNetwork;
import uzu.model.LanguageModel;
import uzu.model.PathNetwork;

/** The block drafter proposes what lalamo's own forward finds likely, whatever way the conversation came about. */
class BlockDrafterTest {
    private static final Path TARGET = Path.of("src/test/resources/checkpoints/qwen3");
    private static final Path FOLDER = Path.of("src/test/resources/speculators/qwen3");
    private static final int VOCABULARY = 256;
    private static final int RECORDED = 12;

    private final CpuBackend backend =
            CpuBackend.open(CpuOptions.defaults().withCache(KvCache.F32).withThreads(2));
    private final LanguageModel target;
    private final BlockNetwork network;
    private final int[] ids;

    BlockDrafterTest() throws IOException {
        try (HfFolder checkpoint = HfFolder.open(TARGET);
                HfFolder folder = HfFolder.open(FOLDER)) {
            target = LanguageModel.load(checkpoint, backend);
            network = BlockNetwork.load(folder, target, backend);
        }
        ByteBuffer longs = tensor(TARGET, "ids");
        ids = IntStream.range(0, longs.remaining() / 8)
                .map(i -> (int) longs.getLong(8 * i))
                .toArray();
    }

    @AfterEach
    void close() {
        target.close();
        backend.close();
    }

    private static ByteBuffer tensor(Path folder, String name) throws IOException {
        byte[] file = Files.readAllBytes(folder.resolve("trace.safetensors"));
        int size = Math.toIntExact(
                ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(0));
        JsonNode offsets = new JsonMapper()
                .readTree(Arrays.copyOfRange(file, 8, 8 + size))
                .get(name)
                .get("data_offsets");
        int from = 8 + size + offsets.get(0).asInt();
        int to = 8 + size + offsets.get(1).asInt();
        return ByteBuffer.wrap(Arrays.copyOfRange(file, from, to)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The recorded distribution of the {@code depth}-th token after the root's, which follows {@code context} tokens. */
    private static double[] expected(int context, int depth) throws IOException {
        var logits = tensor(FOLDER, "logits." + context).asFloatBuffer();
        double[] chances = new double[VOCABULARY];
        double sum = 0;
        for (int token = 0; token < VOCABULARY; token++) {
            chances[token] = Math.exp(logits.get(depth * VOCABULARY + token));
            sum += chances[token];
        }
        for (int token = 0; token < VOCABULARY; token++) {
            chances[token] /= sum;
        }
        return chances;
    }

    private record Said(int[] tokens, int size) implements TokenPath {
        @Override
        public int get(int index) {
            return tokens[index];
        }
    }

    private record Chain(Sequence sequence, int[] tokens, int from, int size) implements Batch {
        @Override
        public int token(int row) {
            return tokens[from + row];
        }

        @Override
        public Sequence sequence(int row) {
            return sequence;
        }

        @Override
        public int parent(int row) {
            return row - 1;
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.logitsIf(row == size - 1);
        }
    }

    /** A pass over the ids up to {@code to}, committed and told. */
    private void pass(Sequence sequence, Proposer proposer, int to) {
        int from = sequence.length();
        assertTrue(target.executable().run(new Chain(sequence, ids, from, to - from), () -> false, null));
        int[] rows = IntStream.range(0, to - from).toArray();
        sequence.commit(rows);
        proposer.committed(new Said(ids, to + 1), from, rows, target.executable());
    }

    private Draft chain(int context, int[] below) {
        Draft draft = new Draft(16, 1);
        draft.begin(ids[context]);
        for (int i = 0; i < below.length; i++) {
            draft.add(i, below[i], 1);
        }
        return draft;
    }

    /** After {@code context} tokens; every depth of the block. */
    private void proposesAsRecorded(Proposer proposer, int context) throws IOException {
        Draft draft = chain(context, new int[] {5, 6, 7, 8, 9});
        proposer.begin(new Said(ids, context + 1), Conditions.GREEDY);
        for (int depth = 0; depth < 6; depth++) {
            Proposals proposals = new Proposals();
            proposer.propose(draft, depth, proposals);
            if (depth == 5) {
                assertEquals(0, proposals.size(), "deeper than the block");
                break;
            }
            double[] chances = expected(context, depth + 1);
            List<Integer> best = IntStream.range(0, VOCABULARY)
                    .boxed()
                    .sorted(Comparator.comparingDouble(token -> -chances[token]))
                    .limit(Proposals.MOST)
                    .toList();
            assertEquals(
                    best,
                    IntStream.range(0, proposals.size())
                            .mapToObj(proposals::token)
                            .toList());
            for (int i = 0; i < proposals.size(); i++) {
                assertEquals(chances[best.get(i)], proposals.probability(i), 1e-3 * chances[best.get(i)] + 1e-5);
            }
        }
    }

    @Test
    void proposesWhatTheReferenceFindsLikely() throws IOException {
        try (BlockDrafter drafter = new BlockDrafter(network, target.executable(), null);
                Proposer proposer = proposer(drafter, Paths.NONE);
                Sequence sequence = target.executable().newSequence()) {
            pass(sequence, proposer, 3);
            proposesAsRecorded(proposer, 3);
            pass(sequence, proposer, 4);
            pass(sequence, proposer, 30);
            pass(sequence, proposer, 40);
            proposesAsRecorded(proposer, 40);
            assertTrue(drafter.seconds() > 0);
        }
    }

    @Test
    void aTruncatedConversationIsDraftedAsIfItHadNeverGoneOn() throws IOException {
        try (BlockDrafter drafter = new BlockDrafter(network, target.executable(), null);
                Proposer proposer = proposer(drafter, Paths.NONE);
                Sequence sequence = target.executable().newSequence()) {
            pass(sequence, proposer, 62);
            proposesAsRecorded(proposer, 62);
            for (int kept : new int[] {40, 3, 1}) {
                sequence.truncate(kept);
                proposer.truncate(kept);
                if (kept < 3) {
                    pass(sequence, proposer, 3);
                }
                proposesAsRecorded(proposer, sequence.length());
            }
            // Features that still wait are dropped too.
            pass(sequence, proposer, 20);
            sequence.truncate(10);
            proposer.truncate(10);
            pass(sequence, proposer, 40);
            proposesAsRecorded(proposer, 40);
        }
    }

    @Test
    void aConversationOfWhichItSawNothingIsNotDrafted() {
        try (BlockDrafter drafter = new BlockDrafter(network, target.executable(), null);
                Proposer proposer = drafter.proposer()) {
            Proposals proposals = new Proposals();
            proposer.begin(new Said(ids, 4), Conditions.GREEDY);
            proposer.propose(chain(3, new int[0]), 0, proposals);
            assertEquals(0, proposals.size());
        }
    }

    @Test
    void noiseThatIsSharedLiftsCandidates() throws IOException {
        try (BlockDrafter drafter = new BlockDrafter(network, target.executable(), null);
                Proposer proposer = proposer(drafter, Paths.NONE);
                Sequence sequence = target.executable().newSequence()) {
            pass(sequence, proposer, 40);
            double[] chances = expected(40, 1);
            int lifted = IntStream.range(0, VOCABULARY)
                    .boxed()
                    .sorted(Comparator.comparingDouble(token -> -chances[token]))
                    .skip(12)
                    .findFirst()
                    .orElseThrow();
            proposer.begin(
                    new Said(ids, 41),
                    new Conditions(1, (position, token) -> position == 41 && token == lifted ? 9 : 0));
            Proposals proposals = new Proposals();
            proposer.propose(chain(40, new int[0]), 0, proposals);
            assertEquals(lifted, proposals.token(0));
            assertEquals(chances[lifted], proposals.probability(0), 1e-3 * chances[lifted] + 1e-5);
        }
    }

    private BlockProposer proposer(BlockDrafter drafter, Paths paths) {
        return new BlockProposer(network, target.executable().features(network.taps()), drafter, paths);
    }

    /** Says one token for sure, after every path. */
    private record Sure(int token) implements Proposer {
        @Override
        public void truncate(int length) {}

        @Override
        public void begin(TokenPath path, Conditions conditions) {}

        @Override
        public void propose(Draft draft, int node, Proposals into) {
            into.add(token, 0.9f);
        }
    }

    @Test
    void whatIsKnownOfThePathReranksAllDepthsButTheFirst() throws IOException {
        double[] first = expected(40, 1);
        double[] second = expected(40, 2);
        List<Integer> ranked = IntStream.range(0, VOCABULARY)
                .boxed()
                .sorted(Comparator.comparingDouble(token -> -second[token]))
                .toList();
        int favourite = ranked.get(3);
        try (BlockDrafter drafter = new BlockDrafter(network, target.executable(), null);
                Proposer proposer = proposer(drafter, new TablePaths(new Sure(favourite)));
                Sequence sequence = target.executable().newSequence()) {
            pass(sequence, proposer, 40);
            proposer.begin(new Said(ids, 41), Conditions.GREEDY);
            Draft draft = chain(40, new int[] {5});
            Proposals atRoot = new Proposals();
            proposer.propose(draft, 0, atRoot);
            for (int i = 1; i < atRoot.size(); i++) {
                assertTrue(first[atRoot.token(i - 1)] >= first[atRoot.token(i)]);
            }
            Proposals below = new Proposals();
            proposer.propose(draft, 1, below);
            assertEquals(favourite, below.token(0));
            assertTrue(below.probability(0) > 2 * second[favourite]);
            double others = 0;
            for (int i = 1; i < below.size(); i++) {
                assertTrue(below.probability(i) < second[below.token(i)]);
                others += below.probability(i);
            }
            assertTrue(below.probability(0) + others <= 1);
        }
    }

    /** Five nodes: the root, its two best children, and the best child of each. */
    @Test
    void theNetworkScoresPathsAsTheReferenceDoes() throws IOException {
        PathNetwork scorer = Objects.requireNonNull(network.paths());
        Features last = target.executable().features(List.of(network.lastTap()));
        try (BlockDrafter drafter = new BlockDrafter(network, target.executable(), null)) {
            for (int context : new int[] {3, 40, 62}) {
                NetworkPaths paths = new NetworkPaths(scorer, last, network.hidden());
                try (Proposer proposer = proposer(drafter, paths);
                        Sequence sequence = target.executable().newSequence()) {
                    pass(sequence, proposer, context);
                    Draft draft = new Draft(16, 1);
                    draft.begin(ids[context]);
                    ByteBuffer tokens = tensor(FOLDER, "weaver.tokens." + context);
                    ByteBuffer parents = tensor(FOLDER, "weaver.parents." + context);
                    for (int node = 1; node < 5; node++) {
                        draft.add((int) parents.getLong(8 * node), (int) tokens.getLong(8 * node), 1);
                    }
                    proposer.begin(new Said(ids, context + 1), Conditions.GREEDY);
                    proposer.propose(draft, 0, new Proposals());
                    // The last first: what is above it has to be run then.
                    for (int node = 4; node >= 0; node--) {
                        scoresAsRecorded(paths, draft, node, context);
                    }
                }
            }
        }
    }

    private void scoresAsRecorded(Paths paths, Draft draft, int node, int context) throws IOException {
        int depth = draft.depth(node);
        BlockCandidates candidates = new BlockCandidates();
        candidates.read(network.block().logits(depth + 1), VOCABULARY, Conditions.GREEDY, 0);
        double[] factors = new double[BlockCandidates.MOST];
        assertTrue(paths.weigh(draft, node, candidates, factors));
        ByteBuffer recorded = tensor(FOLDER, "weaver.candidates." + context);
        var scores = tensor(FOLDER, "weaver.scores." + context).asFloatBuffer();
        var logits = tensor(FOLDER, "logits." + context).asFloatBuffer();
        double offset = 0;
        for (int i = 0; i < RECORDED; i++) {
            int token = (int) recorded.getLong(8 * (node * RECORDED + i));
            assertEquals(token, candidates.token(i));
            double added = scores.get(node * RECORDED + i) - logits.get((depth + 1) * VOCABULARY + token);
            if (i == 0) {
                offset = added - Math.log(factors[0]);
            }
            // The reference rounds query and score to bfloat16.
            assertEquals(added, Math.log(factors[i]) + offset, 0.02, context + " node " + node + " candidate " + i);
        }
    }
}
