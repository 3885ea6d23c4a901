package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Features;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.RowOrder;
import uzu.backend.Sequence;
import uzu.backend.Value;
import uzu.backend.Wanted;
import uzu.backend.Weight;
import uzu.format.Tensor;
import uzu.format.TensorType;
import uzu.generate.ScreenedModel;

/** What passes keep of their taps, numbers from outside, and passes that go on from others. */
class FeaturesTest {
    private static final int[] TOKENS = {3, 14, 15, 9, 26, 5, 35};

    private final CpuBackend backend =
            CpuBackend.open(new CpuOptions(2, Precision.FAST, KvCache.F16, 64, CpuOptions.Kernels.AUTO));
    private final Executable executable = backend.prepare(new TinyModel(5).program(backend));
    private final Sequence sequence = executable.newSequence();

    @AfterEach
    void close() {
        backend.close();
    }

    private Rows chain() {
        return chain(sequence, TOKENS, Wanted.LOGITS);
    }

    private static Rows chain(Sequence sequence, int[] tokens, Wanted wanted) {
        Rows rows = new Rows();
        rows.chain(sequence, tokens, 0, tokens.length, wanted);
        return rows;
    }

    private void run(Batch rows) {
        assertTrue(executable.run(rows, () -> false, null));
    }

    private float[] logits(int row) {
        float[] logits = new float[TinyModel.VOCABULARY];
        executable.logits(row, logits);
        return logits;
    }

    @Test
    void tapsAreKeptNextToEachOtherAsTheTracerSeesThem() {
        Map<String, float[]> traced = new HashMap<>();
        executable.run(chain(), () -> false, (name, rows, width, values) -> traced.put(name, values));
        float[] plain = logits(4);

        Features features = executable.features(List.of("layer.2", "layer.0"));
        run(chain());

        assertEquals(2 * TinyModel.WIDTH, features.width());
        assertArrayEquals(plain, logits(4));
        for (int row = 0; row < TOKENS.length; row++) {
            float[] kept = new float[1 + 2 * TinyModel.WIDTH];
            features.copy(row, kept, 1);
            for (int i = 0; i < TinyModel.WIDTH; i++) {
                assertEquals(traced.get("layer.2")[row * TinyModel.WIDTH + i], kept[1 + i]);
                assertEquals(traced.get("layer.0")[row * TinyModel.WIDTH + i], kept[1 + TinyModel.WIDTH + i]);
            }
        }
    }

    @Test
    void tapsOfTheHeadAreKeptOfRowsWhoseLogitsWereWanted() {
        Features features = executable.features(List.of("normed"));
        Rows rows = new Rows();
        int first = rows.add(sequence, 3, -1, false);
        int second = rows.add(sequence, 14, first, true);
        run(rows);
        float[] sparse = new float[TinyModel.WIDTH];
        features.copy(second, sparse, 0);
        run(chain());
        float[] whole = new float[TinyModel.WIDTH];
        features.copy(1, whole, 0);

        assertArrayEquals(whole, sparse);
        run(rows);
        assertThrows(UzuException.InvalidArgument.class, () -> features.copy(first, sparse, 0));
    }

    @Test
    void featuresBeginWithTheNextPassAndEndWhenClosed() {
        run(chain());
        Features features = executable.features(List.of("layer.1"));
        float[] into = new float[TinyModel.WIDTH];

        assertThrows(UzuException.InvalidState.class, () -> features.copy(0, into, 0));
        run(chain());
        features.copy(0, into, 0);
        features.close();
        run(chain());
        assertThrows(UzuException.InvalidState.class, () -> features.copy(0, into, 0));
        assertThrows(UzuException.InvalidArgument.class, () -> executable.features(List.of("layer.3")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"layer.0", "layer.1", "final_norm"})
    void whoAsksForThemBetweenAPassAndItsResultsChangesNone(String tap) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (ScreenedModel model = new ScreenedModel(seed, 2);
                Sequence mine = model.executable().newSequence()) {
            Executable screened = model.executable();
            for (int trial = 0; trial < 20; trial++) {
                int[] tokens = random.ints(4, 0, ScreenedModel.VOCABULARY).toArray();
                screened.run(chain(mine, tokens, Wanted.LOGITS), () -> false, null);
                int[] expected = IntStream.range(0, 4).map(screened::best).toArray();
                screened.run(chain(mine, tokens, Wanted.BEST), () -> false, null);
                try (Features features = screened.features(List.of(tap))) {
                    int[] best = IntStream.range(0, 4).map(screened::best).toArray();
                    assertArrayEquals(expected, best, "seed " + seed);
                }
            }
        }
    }

    @Test
    void aPassThatGoesOnGivesTheBitsOfOneThatHasAllRows() {
        // A tree: 0 - 1 - 2, 1 - 3, 0 - 4 - 5, and another root 6.
        int[] parents = {-1, 0, 1, 1, 0, 4, -1};
        Growing whole = new Growing(0, parents.length, parents);
        run(whole);
        float[][] expected = new float[parents.length][];
        for (int row = 0; row < parents.length; row++) {
            expected[row] = logits(row);
        }
        for (int[] cuts : new int[][] {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 2, 7}, {0, 4, 5, 7}}) {
            for (int i = 0; i + 1 < cuts.length; i++) {
                run(new Growing(cuts[i], cuts[i + 1], parents));
                for (int row = cuts[i]; row < cuts[i + 1]; row++) {
                    assertArrayEquals(expected[row], logits(row), "row " + row);
                }
            }
        }
        sequence.commit(new int[] {0, 4, 5});
        assertEquals(3, sequence.length());
        try (Sequence other = executable.newSequence()) {
            Rows rows = new Rows();
            rows.chain(other, new int[] {TOKENS[0], TOKENS[4], TOKENS[5], 1}, 0, 4);
            run(rows);
            float[] after = logits(3);
            Rows next = new Rows();
            next.add(sequence, 1, -1);
            run(next);
            assertArrayEquals(after, logits(0));
        }
    }

    @Test
    void aLongPathGrowsRowByRow() {
        int[] parents = new int[40];
        for (int row = 0; row < parents.length; row++) {
            parents[row] = row - 1;
        }
        run(new Growing(0, 40, parents));
        float[] expected = logits(39);
        for (int row = 0; row < 40; row++) {
            run(new Growing(row, row + 1, parents));
        }
        assertArrayEquals(expected, logits(39));
    }

    @Test
    void aPassCantGoOnFromRowsThatAreGone() {
        int[] parents = {-1, 0, 1};
        run(new Growing(0, 2, parents));
        sequence.commit(new int[] {0});
        assertThrows(UzuException.InvalidState.class, () -> run(new Growing(2, 3, parents)));
        assertThrows(UzuException.InvalidState.class, () -> run(new Growing(1, 2, parents)));
    }

    @Test
    void aProgramReadsNumbersFromOutside() {
        Value in = new Value(0, 2, "in");
        Value out = new Value(1, 3, "out");
        float[] matrix = {1, 0, 0, 1, 2, -1};
        Tensor tensor = new Tensor("w", TensorType.F32, 3, 2, MemorySegment.ofArray(matrix));
        Weight weight = backend.matrix(tensor, new RowOrder.Plain());
        Program program = new Program(
                List.of(in, out),
                List.of(),
                List.of(new Op.Input(in)),
                in,
                List.of(new Op.MatMul(in, List.of(new Op.Projection(weight, null, out, false)))),
                out);
        try (Executable tiny = backend.prepare(program);
                Sequence mine = tiny.newSequence()) {
            Given given = new Given(mine, 5, 7, 0.5f, -1);
            assertTrue(tiny.run(given, () -> false, null));
            float[] logits = new float[3];
            tiny.logits(0, logits);
            assertArrayEquals(new float[] {5, 7, 3}, logits);
            tiny.logits(1, logits);
            assertArrayEquals(new float[] {0.5f, -1, 2}, logits);
            Given few = new Given(mine, 5, 7, 1);
            assertThrows(UzuException.InvalidArgument.class, () -> tiny.run(few, () -> false, null));
        }
    }

    /** Rows {@code first} to {@code end} of a tree over {@link #TOKENS}. */
    private final class Growing implements Batch {
        private final int first;
        private final int end;
        private final int[] parents;

        Growing(int first, int end, int[] parents) {
            this.first = first;
            this.end = end;
            this.parents = parents;
        }

        @Override
        public int first() {
            return first;
        }

        @Override
        public int size() {
            return end - first;
        }

        @Override
        public int token(int row) {
            return TOKENS[row % TOKENS.length];
        }

        @Override
        public Sequence sequence(int row) {
            return sequence;
        }

        @Override
        public int parent(int row) {
            return parents[row];
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.LOGITS;
        }
    }

    /** Two rows with inputs. */
    private record Given(Sequence of, float... inputs) implements Batch {
        @Override
        public int size() {
            return 2;
        }

        @Override
        public int token(int row) {
            return 0;
        }

        @Override
        public Sequence sequence(int row) {
            return of;
        }

        @Override
        public int parent(int row) {
            return -1;
        }

        @Override
        public Wanted wanted(int row) {
            return Wanted.LOGITS;
        }
    }
}
