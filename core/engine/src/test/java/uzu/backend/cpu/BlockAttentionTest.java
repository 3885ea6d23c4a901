package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uzu.KvCache;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.RowOrder;
import uzu.backend.Sequence;
import uzu.backend.Value;
import uzu.backend.Weight;
import uzu.format.Tensor;
import uzu.format.TensorType;

/** Attention that isn't causal: a row of a chain sees the whole chain; and two programs over the same sequences. */
class BlockAttentionTest {
    private static final int VOCABULARY = 48;
    private static final int HEADS = 2;
    private static final int HEAD_SIZE = 32;
    private static final int WIDTH = HEADS * HEAD_SIZE;
    private static final int BLOCK = 8;
    private static final float SCALE = 0.4f;
    private static final int[] PREFIXES = {0, 3, 247, 250, 255, 256, 509};

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final float[] table = new float[VOCABULARY * WIDTH];
    private final int[] tokens = random.ints(600, 0, VOCABULARY).toArray();

    BlockAttentionTest() {
        System.out.println("BlockAttentionTest seed " + seed);
        for (int i = 0; i < table.length; i++) {
            table[i] = (float) random.nextGaussian();
        }
    }

    private static CpuBackend backend(KvCache cache, int threads, CpuOptions.Kernels kernels) {
        return CpuBackend.open(CpuOptions.defaults()
                .withCache(cache)
                .withThreads(threads)
                .withMaxRows(600)
                .withKernels(kernels));
    }

    /** Queries, keys and values are the embeddings themselves; the results are read out by the same table. */
    private Program program(CpuBackend backend, int window, boolean causal) {
        Value embedded = new Value(0, WIDTH, "embedded");
        Value attended = new Value(1, WIDTH, "attended");
        Value logits = new Value(2, VOCABULARY, "logits");
        Tensor tensor = new Tensor("table", TensorType.F32, VOCABULARY, WIDTH, MemorySegment.ofArray(table));
        Weight weight = backend.matrix(tensor, new RowOrder.Plain());
        return new Program(
                List.of(embedded, attended, logits),
                List.of(new Program.Layer(HEADS, HEAD_SIZE, window)),
                List.of(
                        new Op.Embed(weight, 1, embedded),
                        new Op.Store(0, embedded, embedded),
                        new Op.Attend(embedded, 0, HEADS, SCALE, window, 0, causal, attended)),
                attended,
                List.of(new Op.MatMul(attended, List.of(new Op.Projection(weight, null, logits, false)))),
                logits);
    }

    private double[] expected(int position, int first, int last) {
        double[] attended = new double[WIDTH];
        for (int head = 0; head < HEADS; head++) {
            double sum = 0;
            for (int j = first; j <= last; j++) {
                double score = 0;
                for (int c = head * HEAD_SIZE; c < (head + 1) * HEAD_SIZE; c++) {
                    score += SCALE * table[tokens[position] * WIDTH + c] * table[tokens[j] * WIDTH + c];
                }
                // The largest score is about SCALE · HEAD_SIZE, so this neither overflows nor vanishes.
                double e = Math.exp(score - 20);
                sum += e;
                for (int c = head * HEAD_SIZE; c < (head + 1) * HEAD_SIZE; c++) {
                    attended[c] += e * table[tokens[j] * WIDTH + c];
                }
            }
            for (int c = head * HEAD_SIZE; c < (head + 1) * HEAD_SIZE; c++) {
                attended[c] /= sum;
            }
        }
        double[] logits = new double[VOCABULARY];
        for (int i = 0; i < table.length; i++) {
            logits[i / WIDTH] += table[i] * attended[i % WIDTH];
        }
        return logits;
    }

    private void fill(Executable executable, Sequence sequence, int length) {
        if (length > sequence.length()) {
            Rows rows = new Rows();
            int[] path = rows.chain(sequence, tokens, sequence.length(), length);
            assertTrue(executable.run(rows, () -> false, null));
            sequence.commit(path);
        }
    }

    private static float[][] run(Executable executable, Rows rows) {
        assertTrue(executable.run(rows, () -> false, null));
        float[][] logits = new float[rows.size()][VOCABULARY];
        for (int row = 0; row < rows.size(); row++) {
            executable.logits(row, logits[row]);
        }
        return logits;
    }

    private void seesTheWholeBlock(int window) {
        try (CpuBackend backend = backend(KvCache.F32, 2, CpuOptions.Kernels.AUTO);
                Executable executable = backend.prepare(program(backend, window, false));
                Sequence sequence = executable.newSequence()) {
            for (int prefix : PREFIXES) {
                fill(executable, sequence, prefix);
                Rows rows = new Rows();
                rows.chain(sequence, tokens, prefix, prefix + BLOCK);
                float[][] logits = run(executable, rows);
                for (int i = 0; i < BLOCK; i++) {
                    int first = window == 0 ? 0 : Math.max(0, prefix + i - window / 2);
                    int last = prefix + BLOCK - 1;
                    if (window > 0) {
                        last = Math.min(last, prefix + i + window / 2);
                    }
                    double[] expected = expected(prefix + i, first, last);
                    for (int token = 0; token < VOCABULARY; token++) {
                        String at = "prefix " + prefix + " row " + i;
                        assertEquals(expected[token], logits[i][token], 1e-4 * (1 + Math.abs(expected[token])), at);
                    }
                }
            }
        }
    }

    @Test
    void aRowSeesThePrefixAndItsWholeBlock() {
        seesTheWholeBlock(0);
    }

    @Test
    void aWindowReachesBothWays() {
        seesTheWholeBlock(9);
        seesTheWholeBlock(300);
    }

    @ParameterizedTest
    @EnumSource(KvCache.class)
    void neitherKernelsNorThreadsNorNeighboursMatter(KvCache cache) {
        float[][][] expected = new float[PREFIXES.length][][];
        try (CpuBackend backend = backend(cache, 1, CpuOptions.Kernels.SCALAR);
                Executable executable = backend.prepare(program(backend, 0, false));
                Sequence sequence = executable.newSequence()) {
            for (int i = 0; i < PREFIXES.length; i++) {
                fill(executable, sequence, PREFIXES[i]);
                Rows rows = new Rows();
                rows.chain(sequence, tokens, PREFIXES[i], PREFIXES[i] + BLOCK);
                expected[i] = run(executable, rows);
            }
        }
        try (CpuBackend backend = backend(cache, 3, CpuOptions.Kernels.AUTO);
                Executable executable = backend.prepare(program(backend, 0, false))) {
            Rows rows = new Rows();
            for (int prefix : PREFIXES) {
                Sequence sequence = executable.newSequence();
                fill(executable, sequence, prefix);
                rows.chain(sequence, tokens, prefix, prefix + BLOCK);
            }
            float[][] logits = run(executable, rows);
            for (int i = 0; i < logits.length; i++) {
                assertArrayEquals(expected[i / BLOCK][i % BLOCK], logits[i], "prefix " + PREFIXES[i / BLOCK]);
            }
        }
    }

    @Test
    void twoProgramsShareTheirSequences() {
        try (CpuBackend backend = backend(KvCache.F16, 2, CpuOptions.Kernels.AUTO);
                Executable first = backend.prepare(program(backend, 0, true));
                Executable second = backend.prepare(program(backend, 0, true), first)) {
            Sequence mixed = first.newSequence();
            Sequence plain = first.newSequence();
            int length = 0;
            for (int step : new int[] {7, 1, 250, 4, 30}) {
                fill(length % 2 == 0 ? first : second, mixed, length + step);
                fill(first, plain, length + step);
                length += step;
                Rows ofMixed = new Rows();
                ofMixed.chain(mixed, tokens, length, length + 3);
                Rows ofPlain = new Rows();
                ofPlain.chain(plain, tokens, length, length + 3);
                float[][] expected = run(first, ofPlain);
                float[][] actual = run(second, ofMixed);
                for (int i = 0; i < 3; i++) {
                    assertArrayEquals(expected[i], actual[i]);
                }
            }
        }
    }

    @Test
    void programsWithOtherLayersAreRefused() {
        try (CpuBackend backend = backend(KvCache.F16, 1, CpuOptions.Kernels.AUTO);
                Executable owner = backend.prepare(program(backend, 0, true))) {
            Program other = program(backend, 5, true);
            assertThrows(UzuException.InvalidArgument.class, () -> backend.prepare(other, owner));
        }
    }
}
