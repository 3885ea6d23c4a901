package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static uzu.backend.cpu.KeyValueLayout.GROUP;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import uzu.KvCache;
import uzu.backend.Activation;

/** The twins in C and on the Vector API give the bits of the specification, on random shapes. */
class RowKernelsTest {
    private static final int TRIALS = 300;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Memory memory = new Memory();
    private final RowKernels scalar = new ScalarRowKernels();
    private final Map<String, RowKernels> twins = twins();

    @BeforeEach
    void needsTheLibrary() {
        System.out.println("RowKernelsTest seed " + seed);
        assumeFalse(twins.isEmpty(), "no kernels in C for this machine");
    }

    private static Map<String, RowKernels> twins() {
        Map<String, RowKernels> twins = new TreeMap<>();
        boolean built = CompiledKernels.library().isPresent();
        if (built && NativeRowKernels.choose(CpuOptions.Kernels.AUTO) instanceof NativeRowKernels twin) {
            twins.put("this machine's", twin);
        }
        VectorTwin.rows().ifPresent(twin -> twins.put("vector", twin));
        EmulatedArm.library().ifPresent(library -> twins.put("ARM's", new EmulatedRowKernels(library, "neon")));
        return twins;
    }

    @AfterEach
    void close() {
        memory.close();
    }

    private long floats(int count, float spread) {
        // Behind the floats lies what no kernel may touch, and a shift makes them unaligned.
        long address = memory.allocate(4L * count + 128, "a test") + 4L * random.nextInt(16);
        for (int i = 0; i < count; i++) {
            Memory.ALL.set(JAVA_FLOAT, address + 4L * i, spread * (float) random.nextGaussian());
        }
        return address;
    }

    private long copy(long address, int bytes) {
        long copied = memory.allocate(bytes, "a test");
        MemorySegment.copy(Memory.ALL, address, Memory.ALL, copied, bytes);
        return copied;
    }

    private static byte[] bytes(long address, int count) {
        return Memory.ALL.asSlice(address, count).toArray(JAVA_BYTE);
    }

    /**
     * Runs all twins on copies of {@code count} bytes at {@code state} and compares them after, with 64 bytes more.
     */
    private void same(String what, long state, int count, BiConsumer<RowKernels, Long> call) {
        long expected = copy(state, count + 64);
        call.accept(scalar, expected);
        twins.forEach((name, twin) -> {
            long actual = copy(state, count + 64);
            call.accept(twin, actual);
            assertArrayEquals(bytes(expected, count + 64), bytes(actual, count + 64), name + ": " + what);
        });
    }

    @Test
    void norms() {
        for (int trial = 0; trial < TRIALS; trial++) {
            int runs = 1 + random.nextInt(33);
            int columns = 1 + random.nextInt(300);
            long x = floats(runs * columns, 3);
            long weight = floats(columns, 1);
            String shape = runs + " x " + columns;
            same(shape, x, 4 * runs * columns, (kernels, at) -> kernels.norm(at, runs, columns, weight, 1e-5f, at));
        }
    }

    @Test
    void rotations() {
        for (int trial = 0; trial < TRIALS; trial++) {
            int heads = 1 + random.nextInt(9);
            int half = 1 + random.nextInt(64);
            int size = 2 * half + random.nextInt(3) * 8;
            long x = floats(heads * size, 3);
            long cosines = floats(half, 1);
            long sines = floats(half, 1);
            String shape = heads + " x " + size + ", " + half;
            same(shape, x, 4 * heads * size, (kernels, at) -> kernels.rotate(at, heads, size, half, cosines, sines));
        }
    }

    @Test
    void roundings() {
        for (int trial = 0; trial < TRIALS; trial++) {
            int count = 1 + random.nextInt(100);
            long x = floats(count, 1 + random.nextInt(3) * 20_000);
            for (int i = 0; i < count; i++) {
                float edge = switch (random.nextInt(8)) {
                    case 0 -> 1 + (1 + 2 * random.nextInt(9)) / 2048f; // half way between two halves
                    case 1 -> 1 + (1 + 2 * random.nextInt(9)) / 256f; // and between two bfloats
                    case 2 -> 6e-8f * random.nextInt(40);
                    case 3 -> -0f;
                    case 4 -> Float.POSITIVE_INFINITY;
                    case 5 -> Float.MAX_VALUE;
                    default -> Memory.ALL.get(JAVA_FLOAT, x + 4L * i);
                };
                Memory.ALL.set(JAVA_FLOAT, x + 4L * i, edge);
            }
            for (KvCache type : KvCache.values()) {
                boolean quantised = KeyValueLayout.isQuantised(type);
                int some = quantised ? count / GROUP * GROUP : count;
                long in = quantised ? floats(some, random.nextInt(3) * 20_000) : x;
                long out = floats(count + 16, 1);
                same(
                        type + " " + some,
                        out,
                        KeyValueLayout.rowBytes(type, some),
                        (kernels, at) -> kernels.store(type, in, some, at));
            }
        }
    }

    @Test
    void elementWiseOperations() {
        for (int trial = 0; trial < TRIALS; trial++) {
            int rows = 1 + random.nextInt(3);
            int columns = 1 + random.nextInt(70);
            int stride = columns + random.nextInt(5);
            int count = rows * stride;
            float spread = (float) Math.pow(10, random.nextInt(5) - 2);
            long x = floats(count, spread);
            long y = floats(count, 2);
            for (Activation activation : Activation.values()) {
                same(
                        activation + " " + spread,
                        x,
                        4 * count,
                        (kernels, at) -> kernels.gate(activation, at, y, rows, columns, stride, at));
            }
            same("add", x, 4 * count, (kernels, at) -> kernels.add(y, count, at));
            same("cap " + spread, x, 4 * count, (kernels, at) -> kernels.softCap(at, count, 15));
        }
    }

    @Test
    void attention() {
        int[] sizes = {16, 24, 32, 40, 64, 80, 96, 128, 192, 256, 4, 20, 33, 7};
        for (int trial = 0; trial < TRIALS; trial++) {
            KvCache type = KvCache.values()[trial % KvCache.values().length];
            boolean quantised = KeyValueLayout.isQuantised(type);
            int size = quantised ? GROUP * (1 + random.nextInt(8)) : sizes[random.nextInt(sizes.length)];
            int heads = 1 + random.nextInt(9);
            int rows = 1 + random.nextInt(random.nextBoolean() ? 3 : 20);
            Spans spans = spans(rows);
            long queries = floats((rows + 1) * heads * size, 1);
            KvCache keyType = KeyValueLayout.keyType(type);
            long keys = panels(keyType, stored(keyType, KeyValueLayout.BLOCK, size), size);
            long values = stored(type, KeyValueLayout.BLOCK, size);
            long pendingKeys = stored(keyType, PASS_ROWS, size);
            long pendingValues = stored(type, PASS_ROWS, size);
            float softCap = random.nextInt(3) == 0 ? 5 : 0;
            int results = heads * RowKernels.partialFloats(size);
            long scratch = memory.allocate(RowKernels.scratchBytes(rows, heads, size), "a test");
            long partial = floats((rows + 1) * results + 16, 1);
            same(
                    type + " " + heads + " x " + size + ", " + spans,
                    partial,
                    4 * (rows + 1) * results,
                    (kernels, at) -> kernels.attend(
                            type,
                            queries,
                            4L * heads * size,
                            heads,
                            size,
                            keys,
                            values,
                            pendingKeys,
                            pendingValues,
                            spans.ancestors,
                            spans.address,
                            rows,
                            0.3f,
                            softCap,
                            scratch,
                            at,
                            4L * results));
        }
    }

    private static final int PASS_ROWS = 128;

    private record Spans(long address, long ancestors, String description) {
        @Override
        public String toString() {
            return description;
        }
    }

    /** Spans of a random block: a chain of rows, or unrelated ones; a window, or none. */
    private Spans spans(int rows) {
        int committed = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(KeyValueLayout.BLOCK);
        int window = random.nextBoolean() ? KeyValueLayout.BLOCK : 1 + random.nextInt(KeyValueLayout.BLOCK);
        boolean chain = random.nextBoolean();
        int most = Math.min(100, KeyValueLayout.BLOCK - committed);
        long address = memory.allocate(4L * RowKernels.SPAN * rows, "a test");
        long ancestors = memory.allocate(4L * PASS_ROWS * rows, "a test");
        int[] common = ascending(0, 40);
        StringBuilder description = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            int[] list = chain
                    ? IntStream.rangeClosed(3, 3 + i).limit(most).toArray()
                    : list(random.nextInt(most + 1), random.nextBoolean() ? common : new int[0]);
            if (committed + list.length == 0) {
                list = new int[] {i};
            }
            int end = committed + list.length;
            int first = Math.max(0, end - window);
            int skipped = Math.max(0, first - committed);
            for (int k = 0; k < list.length; k++) {
                Memory.ALL.set(JAVA_INT, ancestors + 4L * (PASS_ROWS * i + k), list[k]);
            }
            int stored = Math.max(0, committed - first);
            int[] span = {rows - i, first, stored, list.length - skipped, PASS_ROWS * i + skipped};
            for (int k = 0; k < span.length; k++) {
                Memory.ALL.set(JAVA_INT, address + 4L * (RowKernels.SPAN * i + k), span[k]);
            }
            description.append(Arrays.toString(span));
        }
        return new Spans(address, ancestors, description.toString());
    }

    /** At most so many rows of the pass in ascending order, beginning with those given as far as there are. */
    private int[] list(int count, int[] beginning) {
        int[] start = Arrays.copyOf(beginning, Math.min(count, beginning.length));
        int from = start.length == 0 ? 0 : start[start.length - 1] + 1;
        return IntStream.concat(Arrays.stream(start), Arrays.stream(ascending(from, count - start.length)))
                .toArray();
    }

    /** At most {@code count} rows from {@code from} on. */
    private int[] ascending(int from, int count) {
        int limit = Math.min(count, PASS_ROWS - from);
        return limit <= 0
                ? new int[0]
                : random.ints(from, PASS_ROWS).distinct().limit(limit).sorted().toArray();
    }

    /** A block's keys as a sequence keeps them. */
    private long panels(KvCache type, long rows, int size) {
        long rowBytes = KeyValueLayout.rowBytes(type, size);
        long out = memory.allocate(KeyValueLayout.BLOCK * rowBytes, "a test");
        for (int j = 0; j < KeyValueLayout.BLOCK; j++) {
            long panel = out + j / KeyValueLayout.PANEL * KeyValueLayout.PANEL * rowBytes;
            KeyValueLayout.spread(type, rows + j * rowBytes, size, panel, j % KeyValueLayout.PANEL);
        }
        return out;
    }

    /** Rows of a head, each rounded to the cache's type. */
    private long stored(KvCache type, int rows, int size) {
        long rowBytes = KeyValueLayout.rowBytes(type, size);
        long out = memory.allocate(rows * rowBytes, "a test");
        long in = floats(rows * size, 1);
        for (int row = 0; row < rows; row++) {
            scalar.store(type, in + 4L * row * size, size, out + row * rowBytes);
        }
        return out;
    }

    @Test
    void joins() {
        for (int trial = 0; trial < TRIALS; trial++) {
            int heads = 1 + random.nextInt(9);
            int size = 4 + random.nextInt(200);
            int blocks = 1 + random.nextInt(12);
            long partials = floats(blocks * heads * RowKernels.partialFloats(size), 4);
            for (int i = 0; i < blocks * heads; i++) {
                long sum = partials + 4L * (i * RowKernels.partialFloats(size) + size + 1);
                Memory.ALL.set(JAVA_FLOAT, sum, 1 + 100 * random.nextFloat());
            }
            long out = floats(heads * size + 16, 1);
            same(
                    blocks + " x " + heads + " x " + size,
                    out,
                    4 * heads * size,
                    (kernels, at) -> kernels.join(partials, blocks, heads, size, at));
        }
    }
}
