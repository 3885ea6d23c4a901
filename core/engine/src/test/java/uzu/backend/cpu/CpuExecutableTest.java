package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import uzu.KvCache;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Sequence;

class CpuExecutableTest {
    private final TinyModel model = new TinyModel(7);
    private final CpuBackend backend = CpuBackend.open(
            CpuOptions.defaults().withThreads(2).withCache(KvCache.F32).withKernels(CpuOptions.Kernels.SCALAR));
    private final Executable executable = backend.prepare(model.program(backend));

    @AfterEach
    void close() {
        executable.close();
        executable.close();
        backend.close();
        backend.close();
    }

    private void run(Rows rows) {
        assertTrue(executable.run(rows, () -> false, null));
    }

    private float[] logits(int row) {
        float[] values = new float[TinyModel.VOCABULARY];
        executable.logits(row, values);
        return values;
    }

    @Test
    void anExecutableIsAloneUntilAnotherHasAPass() {
        try (Executable other = backend.prepare(model.program(backend))) {
            Rows first = new Rows();
            first.add(executable.newSequence(), 1, -1, true);
            run(first);
            assertTrue(executable.isAlone(Long.MAX_VALUE));
            Rows second = new Rows();
            second.add(other.newSequence(), 1, -1, true);
            other.run(second, () -> false, null);
            assertFalse(executable.isAlone(Long.MAX_VALUE));
            assertTrue(executable.isAlone(0));
            assertTrue(other.isAlone(Long.MAX_VALUE));
        }
    }

    @Test
    void logitsAreThoseOfTheReference() {
        int[] tokens = new Random(3).ints(300, 0, TinyModel.VOCABULARY).toArray();
        TinyReference reference = new TinyReference(model);
        Sequence sequence = executable.newSequence();
        for (int from = 0; from < tokens.length; from += 150) {
            Rows rows = new Rows();
            int[] path = rows.chain(sequence, tokens, from, from + 150);
            run(rows);
            for (int i = 0; i < 150; i++) {
                double[] expected = reference.next(tokens[from + i]);
                float[] actual = logits(path[i]);
                for (int v = 0; v < expected.length; v++) {
                    assertEquals(expected[v], actual[v], 1e-4, "position " + (from + i) + ", token " + v);
                }
            }
            sequence.commit(path);
        }
        assertEquals(300, sequence.length());
    }

    @Test
    void onlyWantedRowsHaveLogits() {
        Sequence sequence = executable.newSequence();
        Rows all = new Rows();
        all.chain(sequence, new int[] {1, 2, 3, 4}, 0, 4);
        run(all);
        float[] second = logits(1);
        float[] fourth = logits(3);
        Rows some = new Rows();
        int parent = -1;
        for (int token = 1; token <= 4; token++) {
            parent = some.add(sequence, token, parent, token % 2 == 0);
        }
        run(some);
        assertArrayEquals(second, logits(1));
        assertArrayEquals(fourth, logits(3));
        for (int row : new int[] {-1, 0, 2, 4}) {
            assertThrows(UzuException.InvalidArgument.class, () -> logits(row));
        }
    }

    @Test
    void tapsSeeEveryLayerAndTheWantedRowsOfTheHead() {
        Sequence sequence = executable.newSequence();
        Rows rows = new Rows();
        rows.add(sequence, 5, -1, false);
        rows.add(sequence, 6, 0, true);
        run(rows);
        float[] untraced = logits(1);
        List<String> seen = new ArrayList<>();
        executable.run(rows, () -> false, (name, count, width, values) -> {
            seen.add(name + " " + count + "x" + width);
            assertEquals(count * width, values.length);
        });
        assertEquals(List.of("layer.0 2x64", "layer.1 2x64", "layer.2 2x64", "normed 1x64"), seen);
        assertArrayEquals(untraced, logits(1));
    }

    @Test
    void aCancelledPassIsVoidAndTheNextIsWhole() {
        // One thread, so that it is asked at every operation.
        try (CpuBackend alone = CpuBackend.open(CpuOptions.defaults().withThreads(1));
                Executable one = alone.prepare(model.program(alone))) {
            Sequence sequence = one.newSequence();
            Rows rows = new Rows();
            int[] path = rows.chain(sequence, new int[] {1, 2, 3}, 0, 3);
            float[] expected = new float[TinyModel.VOCABULARY];
            assertTrue(one.run(rows, () -> false, null));
            one.logits(2, expected);
            for (int last = 1; last < 20; last++) {
                int stopAt = last;
                AtomicInteger asked = new AtomicInteger();
                assertFalse(one.run(rows, () -> asked.incrementAndGet() == stopAt, null));
                assertEquals(stopAt, asked.get());
                assertThrows(UzuException.InvalidState.class, () -> one.logits(2, new float[37]));
                assertThrows(UzuException.InvalidState.class, () -> sequence.commit(path));
            }
            float[] actual = new float[TinyModel.VOCABULARY];
            assertTrue(one.run(rows, () -> false, null));
            one.logits(2, actual);
            assertArrayEquals(expected, actual);
        }
    }

    @Test
    void whatACallbackThrowsReachesTheCaller() {
        Sequence sequence = executable.newSequence();
        Rows rows = new Rows();
        rows.add(sequence, 1, -1);
        var thrown = assertThrows(
                IllegalStateException.class,
                () -> executable.run(rows, () -> false, (name, count, width, values) -> {
                    throw new IllegalStateException("from the tracer");
                }));
        assertEquals("from the tracer", thrown.getMessage());
        run(rows);
        sequence.commit(new int[] {0});
        assertEquals(1, sequence.length());
    }

    @Test
    void aPassInsideAPassIsRefused() {
        Sequence sequence = executable.newSequence();
        Rows rows = new Rows();
        rows.add(sequence, 1, -1);
        assertThrows(
                UzuException.InvalidState.class,
                () -> executable.run(rows, () -> executable.run(rows, () -> false, null), null));
        run(rows);
    }

    @Test
    void invalidBatchesAreNamedAndChangeNothing() {
        Sequence sequence = executable.newSequence();
        Sequence other = executable.newSequence();
        Rows good = new Rows();
        good.add(sequence, 1, -1);
        run(good);
        List<Rows> bad = new ArrayList<>();
        bad.add(new Rows());
        for (int token : new int[] {-1, TinyModel.VOCABULARY}) {
            Rows rows = new Rows();
            rows.add(sequence, token, -1);
            bad.add(rows);
        }
        for (int parent : new int[] {-2, 1, 2}) {
            Rows rows = new Rows();
            rows.add(sequence, 1, -1);
            rows.add(sequence, 1, parent);
            bad.add(rows);
        }
        Rows mixed = new Rows();
        mixed.add(sequence, 1, -1);
        mixed.add(other, 1, 0);
        bad.add(mixed);
        Rows tooMany = new Rows();
        tooMany.chain(sequence, new int[executable.maxRows() + 1], 0, executable.maxRows() + 1);
        bad.add(tooMany);
        try (Executable second = backend.prepare(model.program(backend))) {
            Rows foreign = new Rows();
            foreign.add(second.newSequence(), 1, -1);
            bad.add(foreign);
            for (Rows rows : bad) {
                assertThrows(UzuException.InvalidArgument.class, () -> executable.run(rows, () -> false, null));
            }
        }
        sequence.commit(new int[] {0});
        assertEquals(1, sequence.length());
    }

    @Test
    void closedThingsSaySo() {
        Sequence sequence = executable.newSequence();
        Sequence closed = executable.newSequence();
        closed.close();
        closed.close();
        Rows rows = new Rows();
        rows.add(closed, 1, -1);
        assertThrows(UzuException.Closed.class, () -> executable.run(rows, () -> false, null));
        executable.close();
        assertThrows(UzuException.Closed.class, executable::newSequence);
        assertThrows(UzuException.Closed.class, () -> sequence.commit(new int[] {0}));
        sequence.close();
        backend.close();
        assertThrows(UzuException.Closed.class, () -> backend.vector("v", new float[1]));
    }
}
