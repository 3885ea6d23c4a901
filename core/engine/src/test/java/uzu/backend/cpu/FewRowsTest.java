package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uzu.KvCache;
import uzu.backend.Executable;
import uzu.backend.Sequence;

/**
 * Steps of a few rows, as speculation makes them, give the plain run's logits, whatever happens between a commit and the
 * pass that moves what was committed.
 */
class FewRowsTest {
    private static final int STEPS = 40;
    private static final int MOST_ROWS = 6;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final TinyModel model = new TinyModel(seed, TinyModel.QUANTISED_HEAD_SIZE);

    FewRowsTest() {
        System.out.println("FewRowsTest seed " + seed);
    }

    @ParameterizedTest
    @EnumSource(KvCache.class)
    void equalThePlainRun(KvCache cache) {
        for (int threads = 1; threads <= 4; threads++) {
            CpuOptions options =
                    CpuOptions.defaults().withThreads(threads).withCache(cache).withMaxRows(600);
            try (CpuBackend backend = CpuBackend.open(options);
                    Executable executable = backend.prepare(model.program(backend))) {
                // From near the end of a block into the next one.
                check(executable, KeyValueLayout.BLOCK - STEPS);
            }
        }
    }

    private void check(Executable executable, int prefix) {
        Sequence sequence = executable.newSequence();
        Sequence other = executable.newSequence();
        List<Integer> tokens = new ArrayList<>();
        Rows prompt = new Rows();
        int[] path = prompt.chain(
                sequence, random.ints(prefix, 0, TinyModel.VOCABULARY).toArray(), 0, prefix);
        run(executable, prompt, () -> false);
        commit(sequence, prompt, path, tokens);
        for (int step = 0; step < STEPS; step++) {
            sequence = disturb(executable, sequence, other, tokens);
            Rows tree = tree(sequence);
            int[] walked = walk(tree);
            float[][] logits = run(executable, tree, () -> false);
            float[][] expected = plain(executable, tokens, tree, walked);
            for (int i = 0; i < walked.length; i++) {
                assertArrayEquals(expected[i], logits[walked[i]], "step " + step);
            }
            // The plain run was another pass, but of another sequence.
            commit(sequence, tree, walked, tokens);
        }
        sequence.close();
        other.close();
    }

    /** What may come between a commit and the next pass of the sequence. */
    private Sequence disturb(Executable executable, Sequence sequence, Sequence other, List<Integer> tokens) {
        switch (random.nextInt(6)) {
            case 0 -> {
                int calls = random.nextInt(8);
                int[] left = {calls};
                Rows tree = tree(sequence);
                executable.run(tree, () -> left[0]-- <= 0, null);
            }
            case 1 -> {
                Rows rows = new Rows();
                rows.add(other, 3, -1);
                run(executable, rows, () -> false);
                other.commit(new int[] {0});
            }
            case 2 -> {
                Sequence fork = sequence.fork();
                sequence.close();
                return fork;
            }
            case 3 -> {
                int length = tokens.size() - 1;
                sequence.truncate(length);
                tokens.removeLast();
            }
            default -> {}
        }
        return sequence;
    }

    private Rows tree(Sequence sequence) {
        Rows tree = new Rows();
        int rows = 1 + random.nextInt(MOST_ROWS);
        for (int row = 0; row < rows; row++) {
            tree.add(sequence, random.nextInt(TinyModel.VOCABULARY), row == 0 ? -1 : random.nextInt(row));
        }
        return tree;
    }

    /** The path to a random row. */
    private int[] walk(Rows tree) {
        int[] path = {};
        for (int row = random.nextInt(tree.size()); row >= 0; row = tree.parent(row)) {
            int[] longer = new int[path.length + 1];
            longer[0] = row;
            System.arraycopy(path, 0, longer, 1, path.length);
            path = longer;
        }
        return path;
    }

    private static float[][] plain(Executable executable, List<Integer> tokens, Rows tree, int[] walked) {
        int[] all = new int[tokens.size() + walked.length];
        Arrays.setAll(all, i -> i < tokens.size() ? tokens.get(i) : tree.token(walked[i - tokens.size()]));
        try (Sequence plain = executable.newSequence()) {
            Rows rows = new Rows();
            rows.chain(plain, all, 0, all.length);
            float[][] logits = run(executable, rows, () -> false);
            return Arrays.copyOfRange(logits, tokens.size(), all.length);
        }
    }

    private static float[][] run(Executable executable, Rows rows, BooleanSupplier cancelled) {
        assertTrue(executable.run(rows, cancelled, null));
        float[][] logits = new float[rows.size()][TinyModel.VOCABULARY];
        for (int row = 0; row < logits.length; row++) {
            executable.logits(row, logits[row]);
        }
        return logits;
    }

    private static void commit(Sequence sequence, Rows rows, int[] path, List<Integer> tokens) {
        sequence.commit(path);
        for (int row : path) {
            tokens.add(rows.token(row));
        }
    }
}
