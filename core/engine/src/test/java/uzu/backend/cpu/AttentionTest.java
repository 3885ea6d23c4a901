package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static uzu.backend.cpu.KeyValueLayout.BLOCK;
import static uzu.backend.cpu.KeyValueLayout.PANEL;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import uzu.KvCache;
import uzu.UzuException;
import uzu.backend.Executable;
import uzu.backend.Program;
import uzu.backend.Sequence;

/** What attention reads: no more than it sees, each position once for a row. */
class AttentionTest {
    private static final int WINDOWED = 1;

    private final TinyModel model = new TinyModel(9);
    private final CpuOptions options = CpuOptions.defaults().withThreads(1);
    private final CpuBackend backend = CpuBackend.open(options);
    private final Program program = model.program(backend);
    private final int[] tokens =
            new Random(2).ints(700, 0, TinyModel.VOCABULARY).toArray();

    @AfterEach
    void close() {
        backend.close();
    }

    private static Sequence filled(Executable executable, int[] tokens, int length) {
        Sequence sequence = executable.newSequence();
        while (sequence.length() < length) {
            Rows rows = new Rows();
            int to = Math.min(length, sequence.length() + 200);
            int[] path = rows.chain(sequence, tokens, sequence.length(), to);
            assertTrue(executable.run(rows, () -> false, null));
            sequence.commit(path);
        }
        return sequence;
    }

    private static float[] next(Executable executable, Sequence sequence) {
        Rows rows = new Rows();
        rows.add(sequence, 5, -1);
        assertTrue(executable.run(rows, () -> false, null));
        float[] logits = new float[TinyModel.VOCABULARY];
        executable.logits(0, logits);
        return logits;
    }

    @Test
    void whatLiesBeforeTheWindowIsNotRead() {
        try (Executable executable = backend.prepare(program)) {
            int length = 600;
            CpuSequence sequence = (CpuSequence) filled(executable, tokens, length);
            float[] expected = next(executable, sequence);
            KeyValueLayout layout = new KeyValueLayout(options.cache(), program.layers());
            for (int position = 0; position <= length - TinyModel.WINDOW; position++) {
                for (int head = 0; head < TinyModel.KV_HEADS; head++) {
                    poison(layout, sequence.block(position / BLOCK), head, position % BLOCK);
                }
            }
            assertArrayEquals(expected, next(executable, sequence));
        }
    }

    /** Makes a key and a value of the layer with a window NaN. */
    private static void poison(KeyValueLayout layout, long block, int head, int position) {
        short nan = 0x7e00;
        long panel = position / PANEL * PANEL * layout.keyBytes(WINDOWED);
        long key = block + layout.keys(WINDOWED, head, BLOCK) + panel + 2L * (position % PANEL);
        long value = block + layout.values(WINDOWED, head, BLOCK) + position * layout.valueBytes(WINDOWED);
        for (int c = 0; c < TinyModel.HEAD_SIZE; c++) {
            Memory.ALL.set(JAVA_SHORT, key + 2L * PANEL * c, nan);
            Memory.ALL.set(JAVA_SHORT, value + 2L * c, nan);
        }
    }

    @Test
    void aRowReadsEachPositionItSeesOnce() {
        long[] read = {0};
        RowKernels plain = NativeRowKernels.choose(CpuOptions.Kernels.AUTO);
        RowKernels counting = (RowKernels) Proxy.newProxyInstance(
                RowKernels.class.getClassLoader(), new Class<?>[] {RowKernels.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("attend")) {
                        long spans = (long) arguments[10];
                        for (int i = 0; i < (int) arguments[11]; i++) {
                            long span = spans + 4L * RowKernels.SPAN * i;
                            read[0] += Memory.ALL.get(JAVA_INT, span + 8) + Memory.ALL.get(JAVA_INT, span + 12);
                        }
                    }
                    try {
                        return method.invoke(plain, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Team team = SharedTeam.acquire();
        MatrixKernels matrices = MatrixTwins.choose(CpuOptions.Kernels.AUTO);
        try (CpuExecutable executable = new CpuExecutable(program, options, 1, team, matrices, counting, null)) {
            for (int length : new int[] {0, 50, 255, 256, 511, 699}) {
                try (Sequence sequence = filled(executable, tokens, length)) {
                    read[0] = 0;
                    next(executable, sequence);
                    int seen = length + 1;
                    assertEquals(
                            TinyModel.KV_HEADS * (2L * seen + Math.min(seen, TinyModel.WINDOW)),
                            read[0],
                            "after " + length);
                }
            }
        } finally {
            SharedTeam.release();
        }
    }

    @Test
    void quantisedHeadsOfOtherSizesAreRefusedByTheirSize() {
        List<Program.Layer> layers = List.of(new Program.Layer(2, 64, 0), new Program.Layer(2, 80, 0));
        for (KvCache type : new KvCache[] {KvCache.Q8, KvCache.Q4}) {
            var refused = assertThrows(UzuException.InvalidArgument.class, () -> new KeyValueLayout(type, layers));
            assertEquals("80", refused.details().get("head_size"));
        }
    }

    @Test
    void aQuantisedBlockTakesAsMuchMemoryAsSaid() {
        List<Program.Layer> layers = List.of(new Program.Layer(1, 64, 0));
        assertEquals(4 * 64 * BLOCK, new KeyValueLayout(KvCache.F16, layers).bufferBytes(BLOCK));
        assertEquals(2 * 68 * BLOCK, new KeyValueLayout(KvCache.Q8, layers).bufferBytes(BLOCK));
        assertEquals((68 + 40) * BLOCK, new KeyValueLayout(KvCache.Q4, layers).bufferBytes(BLOCK));
    }
}
