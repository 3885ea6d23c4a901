package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uzu.KvCache;
import uzu.backend.Executable;
import uzu.backend.Sequence;

/**
 * A row's logits are the same bits however its tokens came: in how many passes, with which neighbours, on how many
 * threads.
 */
class BatchInvarianceTest {
    private static final int LENGTH = 540;
    private static final int MAX_ROWS = 600;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final TinyModel model = new TinyModel(seed);
    private final TinyModel modelForQuantised = new TinyModel(seed, TinyModel.QUANTISED_HEAD_SIZE);
    private final int[] tokens = tokens();

    BatchInvarianceTest() {
        System.out.println("BatchInvarianceTest seed " + seed);
    }

    private int[] tokens() {
        return random.ints(LENGTH, 0, TinyModel.VOCABULARY).toArray();
    }

    /** A model ready to run, with short names for what the tests do. */
    private final class Runner implements AutoCloseable {
        private final CpuBackend backend;
        final Executable executable;

        Runner(KvCache cache, int threads) {
            this(cache, threads, CpuOptions.Kernels.AUTO);
        }

        Runner(KvCache cache, int threads, CpuOptions.Kernels kernels) {
            backend = CpuBackend.open(CpuOptions.defaults()
                    .withThreads(threads)
                    .withCache(cache)
                    .withMaxRows(MAX_ROWS)
                    .withKernels(kernels));
            TinyModel fitting = KeyValueLayout.isQuantised(cache) ? modelForQuantised : model;
            executable = backend.prepare(fitting.program(backend));
        }

        float[][] run(Rows rows) {
            assertTrue(executable.run(rows, () -> false, null));
            float[][] logits = new float[rows.size()][TinyModel.VOCABULARY];
            for (int row = 0; row < rows.size(); row++) {
                executable.logits(row, logits[row]);
            }
            return logits;
        }

        /** Computes and commits {@code all[from..to)} in one pass. */
        float[][] extend(Sequence sequence, int[] all, int from, int to) {
            Rows rows = new Rows();
            int[] path = rows.chain(sequence, all, from, to);
            float[][] logits = run(rows);
            sequence.commit(path);
            return logits;
        }

        float[][] whole(int[] all) {
            try (Sequence sequence = executable.newSequence()) {
                return extend(sequence, all, 0, all.length);
            }
        }

        @Override
        public void close() {
            executable.close();
            backend.close();
        }
    }

    private static void same(float[][] expected, int from, float[][] actual) {
        for (int i = 0; i < actual.length; i++) {
            assertArrayEquals(expected[from + i], actual[i], "position " + (from + i));
        }
    }

    @ParameterizedTest
    @EnumSource(KvCache.class)
    void onePassEqualsTokenByToken(KvCache cache) {
        try (Runner runner = new Runner(cache, 2)) {
            float[][] expected = runner.whole(tokens);
            Sequence sequence = runner.executable.newSequence();
            // The starts and ends of blocks and of the window, one by one; what lies between in one pass.
            int[] ends = {30, 95, 110, 250, 262, 505, 520, LENGTH};
            for (int part = 0, from = 0; part < ends.length; from = ends[part++]) {
                int step = part % 2 == 0 ? 1 : ends[part] - from;
                for (int i = from; i < ends[part]; i += step) {
                    same(expected, i, runner.extend(sequence, tokens, i, i + step));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KvCache.class)
    void onePassEqualsUnevenChunks(KvCache cache) {
        try (Runner runner = new Runner(cache, 2)) {
            float[][] expected = runner.whole(tokens);
            Sequence sequence = runner.executable.newSequence();
            for (int from = 0; from < LENGTH; ) {
                int to = Math.min(LENGTH, from + 1 + random.nextInt(random.nextBoolean() ? 6 : 140));
                same(expected, from, runner.extend(sequence, tokens, from, to));
                from = to;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KvCache.class)
    void kernelsDoNotMatter(KvCache cache) {
        try (Runner best = new Runner(cache, 2);
                Runner scalar = new Runner(cache, 2, CpuOptions.Kernels.SCALAR)) {
            same(scalar.whole(tokens), 0, best.whole(tokens));
        }
    }

    @Test
    void threadsDoNotMatter() {
        float[][] expected;
        float[][] step;
        try (Runner runner = new Runner(KvCache.F16, 1)) {
            expected = runner.whole(tokens);
            Sequence sequence = runner.executable.newSequence();
            runner.extend(sequence, tokens, 0, 530);
            step = runner.extend(sequence, tokens, 530, 531);
        }
        same(expected, 530, step);
        for (int threads = 2; threads <= 5; threads++) {
            try (Runner runner = new Runner(KvCache.F16, threads)) {
                same(expected, 0, runner.whole(tokens));
                Sequence sequence = runner.executable.newSequence();
                runner.extend(sequence, tokens, 0, 530);
                same(step, 0, runner.extend(sequence, tokens, 530, 531));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KvCache.class)
    void everyPathOfATreeEqualsThePlainRun(KvCache cache) {
        try (Runner runner = new Runner(cache, 2)) {
            for (int prefix : new int[] {0, 1, 98, 250, 255, 256, 509}) {
                Sequence sequence = runner.executable.newSequence();
                if (prefix > 0) {
                    runner.extend(sequence, tokens, 0, prefix);
                }
                List<int[]> paths = new ArrayList<>();
                Rows tree = new Rows();
                int roots = 1 + random.nextInt(3);
                for (int root = 0; root < roots; root++) {
                    grow(tree, sequence, -1, new int[0], paths);
                }
                float[][] logits = runner.run(tree);
                for (int[] path : paths) {
                    int[] plain = Arrays.copyOf(tokens, prefix + path.length);
                    for (int i = 0; i < path.length; i++) {
                        plain[prefix + i] = tree.token(path[i]);
                    }
                    try (Sequence fork = sequence.fork()) {
                        float[][] expected = runner.extend(fork, plain, prefix, plain.length);
                        for (int i = 0; i < path.length; i++) {
                            assertArrayEquals(expected[i], logits[path[i]], "prefix " + prefix);
                        }
                    }
                }
                int[] accepted = paths.get(random.nextInt(paths.size()));
                runner.run(tree);
                sequence.commit(accepted);
                int[] after = Arrays.copyOf(tokens, prefix + accepted.length + 1);
                for (int i = 0; i < accepted.length; i++) {
                    after[prefix + i] = tree.token(accepted[i]);
                }
                after[after.length - 1] = 11;
                float[][] next = runner.extend(sequence, after, after.length - 1, after.length);
                same(runner.whole(after), after.length - 1, next);
            }
        }
    }

    /** Adds a random subtree; every node ends a path. */
    private void grow(Rows tree, Sequence sequence, int parent, int[] path, List<int[]> paths) {
        int row = tree.add(sequence, random.nextInt(TinyModel.VOCABULARY), parent);
        int[] here = Arrays.copyOf(path, path.length + 1);
        here[path.length] = row;
        paths.add(here);
        int children = here.length >= 6 || tree.size() > 30 ? 0 : random.nextInt(3);
        for (int child = 0; child < children; child++) {
            grow(tree, sequence, row, here, paths);
        }
    }

    @Test
    void neighboursDoNotMatter() {
        try (Runner runner = new Runner(KvCache.F16, 2)) {
            int[][] texts = {tokens, tokens(), tokens()};
            float[][][] expected = new float[3][][];
            Sequence[] sequences = new Sequence[3];
            int[] done = {0, 200, 300};
            for (int s = 0; s < 3; s++) {
                expected[s] = runner.whole(texts[s]);
                sequences[s] = runner.executable.newSequence();
                if (done[s] > 0) {
                    runner.extend(sequences[s], texts[s], 0, done[s]);
                }
            }
            for (int pass = 0; pass < 12; pass++) {
                int[] ends = new int[3];
                int[][] rowsOf = new int[3][];
                int[] lastRow = {-1, -1, -1};
                Rows rows = new Rows();
                for (int s = 0; s < 3; s++) {
                    ends[s] = done[s] + random.nextInt(20);
                    rowsOf[s] = new int[ends[s] - done[s]];
                }
                // Rows of the three sequences are interleaved at random.
                int[] at = done.clone();
                while (!Arrays.equals(at, ends)) {
                    int s = random.nextInt(3);
                    if (at[s] < ends[s]) {
                        lastRow[s] = rows.add(sequences[s], texts[s][at[s]], lastRow[s]);
                        rowsOf[s][at[s] - done[s]] = lastRow[s];
                        at[s]++;
                    }
                }
                if (rows.size() == 0) {
                    continue;
                }
                float[][] logits = runner.run(rows);
                for (int s = 0; s < 3; s++) {
                    for (int i = 0; i < rowsOf[s].length; i++) {
                        assertArrayEquals(expected[s][done[s] + i], logits[rowsOf[s][i]], "sequence " + s);
                    }
                    sequences[s].commit(rowsOf[s]);
                    done[s] = ends[s];
                }
            }
        }
    }
}
