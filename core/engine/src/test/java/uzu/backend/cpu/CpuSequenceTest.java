package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Sequence;

class CpuSequenceTest {
    private static final int BLOCK_BYTES =
            KeyValueLayout.BLOCK * TinyModel.LAYERS * 2 * TinyModel.KV_HEADS * TinyModel.HEAD_SIZE * 2;

    private final TinyModel model = new TinyModel(5);
    private final CpuBackend backend = CpuBackend.open(CpuOptions.defaults().withThreads(1));
    private final Executable executable = backend.prepare(model.program(backend));
    private final int[] tokens =
            new Random(1).ints(600, 0, TinyModel.VOCABULARY).toArray();

    @AfterEach
    void close() {
        executable.close();
        backend.close();
    }

    private void extend(Sequence sequence, int to) {
        while (sequence.length() < to) {
            Rows rows = new Rows();
            int[] path = rows.chain(sequence, tokens, sequence.length(), Math.min(to, sequence.length() + 200));
            assertTrue(executable.run(rows, () -> false, null));
            sequence.commit(path);
        }
    }

    private float[] next(Sequence sequence, int token) {
        Rows rows = new Rows();
        rows.add(sequence, token, -1);
        assertTrue(executable.run(rows, () -> false, null));
        float[] logits = new float[TinyModel.VOCABULARY];
        executable.logits(0, logits);
        return logits;
    }

    @Test
    void aForkGoesItsOwnWay() {
        Sequence first = executable.newSequence();
        extend(first, 300);
        float[] expected = next(first, 3);
        Sequence second = first.fork();
        assertEquals(300, second.length());
        assertArrayEquals(expected, next(second, 3));
        second.commit(new int[] {0});
        float[] afterThree = next(second, 4);
        next(first, 9);
        first.commit(new int[] {0});
        float[] afterNine = next(first, 4);
        assertArrayEquals(afterThree, next(second, 4));
        assertArrayEquals(afterNine, next(first, 4));
        first.close();
        assertArrayEquals(afterThree, next(second, 4));
        second.truncate(300);
        assertArrayEquals(expected, next(second, 3));
    }

    @Test
    void forksShareFullBlocksAndCopyThePartialOneOnlyWhenTheyWrite() {
        Sequence first = executable.newSequence();
        extend(first, 529);
        // Two buffers of passes: one for rows that are still to be moved, one for the next pass.
        next(first, 1);
        first.commit(new int[] {0});
        next(first, 1);
        first.commit(new int[0]);
        long three = executable.memoryBytes();
        Sequence second = first.fork();
        assertEquals(three, executable.memoryBytes());
        next(second, 1);
        second.commit(new int[] {0});
        assertEquals(three + BLOCK_BYTES, executable.memoryBytes());
        next(first, 1);
        first.commit(new int[] {0});
        assertEquals(three + BLOCK_BYTES, executable.memoryBytes());
        first.close();
        assertEquals(three, executable.memoryBytes());
        second.close();
        second.close();
        assertEquals(three - 3 * BLOCK_BYTES, executable.memoryBytes());
    }

    @Test
    void truncateKeepsThePrefix() {
        Sequence sequence = executable.newSequence();
        extend(sequence, 255);
        float[] at255 = next(sequence, 1);
        extend(sequence, 520);
        sequence.truncate(255);
        assertEquals(255, sequence.length());
        assertArrayEquals(at255, next(sequence, 1));
        sequence.truncate(0);
        extend(sequence, 255);
        assertArrayEquals(at255, next(sequence, 1));
        assertThrows(UzuException.InvalidArgument.class, () -> sequence.truncate(256));
        assertThrows(UzuException.InvalidArgument.class, () -> sequence.truncate(-1));
    }

    @Test
    void onlyPathsFromARootCanBeCommitted() {
        Sequence sequence = executable.newSequence();
        Sequence other = executable.newSequence();
        Rows rows = new Rows();
        int root = rows.add(sequence, 1, -1);
        int left = rows.add(sequence, 2, root);
        int leaf = rows.add(sequence, 3, left);
        int right = rows.add(sequence, 4, root);
        int foreign = rows.add(other, 1, -1);
        assertTrue(executable.run(rows, () -> false, null));
        int[][] wrong = {{left}, {root, leaf}, {root, left, right}, {root, root}, {foreign}, {-1}, {5}, {1000}};
        for (int[] path : wrong) {
            assertThrows(UzuException.InvalidArgument.class, () -> sequence.commit(path));
        }
        sequence.commit(new int[] {root, left, leaf});
        assertEquals(3, sequence.length());
        assertThrows(UzuException.InvalidState.class, () -> sequence.commit(new int[] {root}));
        other.commit(new int[] {foreign});
        assertEquals(1, other.length());
    }

    @Test
    void anotherSequencesPassLeavesMyRowsToCommit() {
        Sequence first = executable.newSequence();
        Sequence second = executable.newSequence();
        extend(first, 10);
        extend(second, 10);
        next(first, 3);
        for (int i = 0; i < 5; i++) {
            next(second, i);
            second.commit(new int[] {0});
        }
        first.commit(new int[] {0});
        float[] actual = next(first, 4);
        Sequence plain = executable.newSequence();
        extend(plain, 10);
        next(plain, 3);
        plain.commit(new int[] {0});
        assertArrayEquals(next(plain, 4), actual);
    }

    @Test
    void rowsAreForgottenByCommittingNothingTruncatingOrForking() {
        Sequence sequence = executable.newSequence();
        next(sequence, 1);
        sequence.commit(new int[0]);
        assertThrows(UzuException.InvalidState.class, () -> sequence.commit(new int[] {0}));
        next(sequence, 1);
        sequence.truncate(0);
        assertThrows(UzuException.InvalidState.class, () -> sequence.commit(new int[] {0}));
        next(sequence, 1);
        Sequence copy = sequence.fork();
        assertThrows(UzuException.InvalidState.class, () -> copy.commit(new int[] {0}));
        sequence.commit(new int[] {0});
        assertEquals(1, sequence.length());
    }
}
