package uzu.speculate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.Batch;
import uzu.backend.Sequence;
import uzu.backend.Wanted;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Gguf;
import uzu.format.HfFolder;
import uzu.model.FeatureNetwork;
import uzu.model.LanguageModel;

/** A network with random weights on the features of a small checkpoint, against make_network_fixture.py. */
class FeatureDrafterTest {
    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final Path NETWORK = RESOURCES.resolve("network/network.gguf");
    private static final long VOCABULARY = 0xfeedfeedfeedfeedL;
    private static final double TOLERANCE = 2e-4;

    private final HfFolder checkpoint = HfFolder.open(RESOURCES.resolve("checkpoints/llama"));
    private final CpuBackend backend = CpuBackend.open(
            CpuOptions.defaults().withThreads(2).withPrecision(Precision.EXACT).withCache(KvCache.F32));
    private final LanguageModel target = LanguageModel.load(checkpoint, backend);
    private final JsonNode expected =
            new JsonMapper().readTree(Files.readString(RESOURCES.resolve("network/expected.json")));
    private final int[] ids = ids();

    FeatureDrafterTest() throws IOException {}

    @AfterEach
    void close() {
        target.close();
        backend.close();
        checkpoint.close();
    }

    /** The tokens that the checkpoint's reference record has. */
    private static int[] ids() throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(RESOURCES.resolve("checkpoints/llama/trace.safetensors")))
                .order(ByteOrder.LITTLE_ENDIAN);
        int header = (int) file.getLong(0);
        JsonNode offsets = new JsonMapper()
                .readTree(Arrays.copyOfRange(file.array(), 8, 8 + header))
                .get("ids")
                .get("data_offsets");
        int[] ids = new int[(offsets.get(1).asInt() - offsets.get(0).asInt()) / 8];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (int) file.getLong(8 + header + offsets.get(0).asInt() + 8 * i);
        }
        return ids;
    }

    private FeatureNetwork network(Path file) {
        try (Gguf gguf = Gguf.open(file)) {
            return FeatureNetwork.load(gguf, target, VOCABULARY, backend);
        }
    }

    /** The target on the recorded tokens, which tells a proposer what it commits. */
    private final class Conversation implements AutoCloseable {
        final Sequence sequence = target.executable().newSequence();
        final Proposer proposer;
        int[] tokens = ids;

        Conversation(Drafter drafter) {
            proposer = drafter.proposer();
        }

        void commit(int count) {
            int from = sequence.length();
            assertTrue(target.executable().run(new Chain(sequence, tokens, from, count), () -> false, null));
            int[] rows = new int[count];
            Arrays.setAll(rows, row -> row);
            sequence.commit(rows);
            proposer.committed(path(from + count + 1), from, rows, target.executable());
        }

        TokenPath path(int size) {
            return new TokenPath() {
                @Override
                public int size() {
                    return size;
                }

                @Override
                public int get(int index) {
                    return tokens[index];
                }
            };
        }

        void begin(Conditions conditions) {
            proposer.begin(path(sequence.length() + 1), conditions);
        }

        @Override
        public void close() {
            proposer.close();
            sequence.close();
        }
    }

    private record Chain(Sequence of, int[] tokens, int from, int size) implements Batch {
        @Override
        public int token(int row) {
            return tokens[from + row];
        }

        @Override
        public Sequence sequence(int row) {
            return of;
        }

        @Override
        public int parent(int row) {
            return row - 1;
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.NOTHING;
        }
    }

    private void assertProposes(JsonNode expected, Proposals proposals) {
        String what = expected.get("root") + " " + expected.get("path");
        assertEquals(expected.get("tokens").size(), proposals.size(), what);
        for (int i = 0; i < proposals.size(); i++) {
            assertEquals(expected.get("tokens").get(i).asInt(), proposals.token(i), what);
            assertEquals(expected.get("probabilities").get(i).asDouble(), proposals.probability(i), TOLERANCE, what);
        }
    }

    /** Drafts all recorded paths below {@code root}, each node once, and compares. */
    private void assertDrafts(Conversation conversation, int root) {
        Draft draft = new Draft(16, 1);
        draft.begin(conversation.tokens[root]);
        conversation.begin(Conditions.GREEDY);
        for (JsonNode one : expected) {
            if (one.get("root").asInt() == root) {
                int node = 0;
                boolean isNew = one.get("path").isEmpty();
                for (JsonNode token : one.get("path")) {
                    int child = draft.child(node, token.asInt());
                    isNew = child < 0;
                    node = isNew ? draft.add(node, token.asInt(), 0.5f) : child;
                }
                assertTrue(isNew);
                Proposals proposals = new Proposals();
                conversation.proposer.propose(draft, node, proposals);
                assertProposes(one, proposals);
            }
        }
    }

    @Test
    void itProposesWhatTheReferenceComputesHoweverItsFeaturesCame() {
        try (FeatureDrafter drafter = new FeatureDrafter(network(NETWORK));
                Conversation whole = new Conversation(drafter);
                Conversation steps = new Conversation(drafter)) {
            whole.commit(1);
            assertDrafts(whole, 1);
            steps.commit(1);
            whole.commit(6);
            for (int i = 0; i < 6; i++) {
                steps.commit(1);
                steps.begin(Conditions.GREEDY);
                Draft draft = new Draft(4, 1);
                draft.begin(ids[steps.sequence.length()]);
                steps.proposer.propose(draft, 0, new Proposals());
            }
            assertDrafts(steps, 7);
            assertDrafts(whole, 7);
            steps.commit(53);
            whole.commit(50);
            whole.commit(3);
            assertDrafts(whole, 60);
            assertDrafts(steps, 60);
        }
    }

    @Test
    void aTruncatedConversationGoesOnWithOtherTokens() {
        try (FeatureDrafter drafter = new FeatureDrafter(network(NETWORK));
                Conversation conversation = new Conversation(drafter)) {
            int[] others = ids.clone();
            Arrays.fill(others, 7, others.length, 9);
            conversation.tokens = others;
            conversation.commit(20);
            conversation.sequence.truncate(7);
            conversation.proposer.truncate(7);
            conversation.tokens = ids;
            conversation.commit(53);
            assertDrafts(conversation, 60);
        }
    }

    @Test
    void whatWasComputedBeforeItCameIsMissedButNoFault() {
        try (FeatureDrafter drafter = new FeatureDrafter(network(NETWORK));
                Conversation conversation = new Conversation(drafter)) {
            conversation.commit(5);
            try (Proposer late = drafter.proposer()) {
                Proposals proposals = new Proposals();
                Draft draft = new Draft(4, 1);
                draft.begin(ids[5]);
                late.begin(conversation.path(6), Conditions.GREEDY);
                late.propose(draft, 0, proposals);
                assertEquals(0, proposals.size());
            }
        }
    }

    @Test
    void sharedNoiseDecidesWhichTokensAreProposed() {
        try (FeatureDrafter drafter = new FeatureDrafter(network(NETWORK));
                Conversation conversation = new Conversation(drafter)) {
            conversation.commit(7);
            Proposals quiet = new Proposals();
            Draft draft = new Draft(4, 1);
            draft.begin(ids[7]);
            conversation.begin(Conditions.GREEDY);
            conversation.proposer.propose(draft, 0, quiet);
            int third = quiet.token(2);
            List<Integer> positions = new ArrayList<>();
            conversation.begin(new Conditions(1, (position, token) -> {
                positions.add(position);
                return token == third ? 30 : 0;
            }));
            Proposals noisy = new Proposals();
            conversation.proposer.propose(draft, 0, noisy);

            assertEquals(third, noisy.token(0));
            assertEquals(quiet.probability(2), noisy.probability(0), 1e-6);
            assertTrue(positions.stream().allMatch(position -> position == 8));
        }
    }

    @Test
    void aNetworkOfAnotherModelOrWithPartsMissingIsRefusedByName(@TempDir Path folder) throws IOException {
        UzuException other = assertThrows(UzuException.ModelCorrupt.class, () -> {
            try (Gguf gguf = Gguf.open(NETWORK)) {
                FeatureNetwork.load(gguf, target, 0x5eee, backend);
            }
        });
        assertEquals("feature.fingerprint", other.details().get("key"));
        assertEquals(
                "ffn_up.weight",
                refusal(folder, "ffn_up.weight", "ffn_uq.weight").details().get("tensor"));
        assertEquals(
                "feature.heads",
                refusal(folder, "feature.heads", "feature.hoods").details().get("key"));
        assertEquals(
                "uzu-wonders",
                refusal(folder, "uzu-feature", "uzu-wonders").details().get("architecture"));
    }

    /** What is said of the file in which each first text is overwritten by the second. */
    private UzuException refusal(Path folder, String... texts) throws IOException {
        byte[] bytes = Files.readAllBytes(NETWORK);
        for (int i = 0; i < texts.length; i += 2) {
            byte[] from = texts[i].getBytes(US_ASCII);
            byte[] to = texts[i + 1].getBytes(US_ASCII);
            int at = 0;
            while (!Arrays.equals(bytes, at, at + from.length, from, 0, from.length)) {
                at++;
            }
            System.arraycopy(to, 0, bytes, at, to.length);
        }
        Path file = Files.write(folder.resolve("network.gguf"), bytes);
        return assertThrows(UzuException.class, () -> network(file));
    }
}
