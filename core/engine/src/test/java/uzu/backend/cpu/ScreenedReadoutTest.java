package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;
import uzu.backend.Batch;
import uzu.backend.Executable;
import uzu.backend.Logits;
import uzu.backend.Op;
import uzu.backend.Program;
import uzu.backend.RowOrder;
import uzu.backend.Sequence;
import uzu.backend.Value;
import uzu.backend.Wanted;
import uzu.format.Tensor;
import uzu.format.TensorType;

/** The likeliest token by a screened readout is that of all logits, whatever the weights and the inputs are. */
class ScreenedReadoutTest {
    private static final int OUTPUTS = 4103;
    private static final int COLUMNS = 256;
    /** Inputs, one for each token: the first few are of a kind each. */
    private static final int TOKENS = 200;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Arena arena = Arena.ofShared();
    private final RandomMatrices matrices = new RandomMatrices(seed, arena);
    private final CpuBackend backend =
            CpuBackend.open(new CpuOptions(2, Precision.FAST, KvCache.F16, 64, CpuOptions.Kernels.AUTO));

    @BeforeEach
    void needsTheLibrary() {
        System.out.println("ScreenedReadoutTest seed " + seed);
        assumeTrue(NativeLogitScan.choose(CpuOptions.Kernels.AUTO).isPresent(), "no kernels in C for this machine");
    }

    @AfterEach
    void close() {
        backend.close();
        arena.close();
    }

    private Executable executable(Tensor readout, float[] inputs) {
        return executable(backend, readout, inputs);
    }

    private Executable executable(CpuBackend backend, Tensor readout, float[] inputs) {
        MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_FLOAT, inputs);
        Tensor table = new Tensor("inputs", TensorType.F32, inputs.length / COLUMNS, COLUMNS, data);
        Value hidden = new Value(0, COLUMNS, "hidden");
        Value logits = new Value(1, OUTPUTS, "logits");
        Op.Projection head = new Op.Projection(backend.matrix(readout, new RowOrder.Plain()), null, logits, false);
        return backend.prepare(new Program(
                List.of(hidden, logits),
                List.of(),
                List.of(new Op.Embed(backend.matrix(table, new RowOrder.Plain()), 1, hidden)),
                hidden,
                List.of(new Op.MatMul(hidden, List.of(head))),
                logits));
    }

    /** Outputs that are alike, and some that are the same. */
    private Tensor readout(TensorType type) {
        Tensor tensor = matrices.tensor(type, OUTPUTS, COLUMNS);
        long rowBytes = tensor.type().rowBytes(COLUMNS);
        for (int i = 0; i < 200; i++) {
            MemorySegment from = tensor.data().asSlice(random.nextInt(OUTPUTS) * rowBytes, rowBytes);
            tensor.data().asSlice(random.nextInt(OUTPUTS) * rowBytes, rowBytes).copyFrom(from);
        }
        return tensor;
    }

    /** Most lean towards an output, as a model's do; columns differ in size. */
    private float[] inputs(Tensor readout) {
        float[] inputs = new float[TOKENS * COLUMNS];
        PackedMatrix packed = matrices.pack(readout, Precision.FAST);
        float[] columns = new float[COLUMNS];
        for (int k = 0; k < COLUMNS; k++) {
            columns[k] = (float) Math.exp(1.5 * random.nextGaussian());
        }
        for (int token = 0; token < TOKENS; token++) {
            float[] output = matrices.row(packed, random.nextInt(OUTPUTS));
            float lean = random.nextFloat() * 10;
            for (int k = 0; k < COLUMNS; k++) {
                inputs[token * COLUMNS + k] = columns[k] * (float) random.nextGaussian() + lean * output[k];
            }
        }
        float[] sizes = {0, 1e-42f, 1e-38f, 1e-30f, 1e-12f, 1e15f, 1e20f, 1e36f};
        for (int token = 0; token < sizes.length; token++) {
            for (int k = 0; k < COLUMNS; k++) {
                inputs[(10 + token) * COLUMNS + k] *= sizes[token];
            }
        }
        inputs[20 * COLUMNS + 5] = Float.NaN;
        inputs[21 * COLUMNS + 7] = Float.POSITIVE_INFINITY;
        inputs[22 * COLUMNS + 9] = 1e30f;
        return inputs;
    }

    private record Rows(Sequence sequence, int[] tokens, int[] parents, Wanted[] wants, int choices) implements Batch {
        @Override
        public int size() {
            return tokens.length;
        }

        @Override
        public int token(int row) {
            return tokens[row];
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
            return wants[row];
        }
    }

    private Rows rows(Sequence sequence, int[] tokens, Wanted wants, int choices) {
        return new Rows(
                sequence,
                tokens,
                parents(tokens.length),
                IntStream.range(0, tokens.length).mapToObj(i -> wants).toArray(Wanted[]::new),
                choices);
    }

    /** A random tree. */
    private int[] parents(int count) {
        return IntStream.range(0, count).map(row -> random.nextInt(row + 1) - 1).toArray();
    }

    private static void improve(Executable executable) {
        long before = executable.memoryBytes();
        while (executable.improve(() -> false)) {}
        assertTrue(executable.memoryBytes() > before + OUTPUTS * COLUMNS / 2);
    }

    private void compare(Tensor tensor) {
        Executable executable = executable(tensor, inputs(tensor));
        Sequence sequence = executable.newSequence();
        improve(executable);
        for (int from = 0; from < TOKENS; ) {
            int[] tokens = IntStream.range(from, Math.min(TOKENS, from + 1 + random.nextInt(5)))
                    .toArray();
            from += tokens.length;
            int choices = random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(OUTPUTS);
            executable.run(rows(sequence, tokens, Wanted.LOGITS, choices), () -> false, null);
            int[] expected = new int[tokens.length];
            for (int row = 0; row < tokens.length; row++) {
                Logits logits = executable.logits(row);
                int best = logits.largest(Math.min(choices, OUTPUTS));
                expected[row] = best < 0 || Float.isInfinite(logits.get(best)) ? -1 : best;
                assertEquals(expected[row], executable.best(row));
            }
            executable.run(rows(sequence, tokens, Wanted.BEST, choices), () -> false, null);
            for (int row : random.ints(8, 0, tokens.length).toArray()) {
                assertEquals(expected[row], executable.best(row), "token " + tokens[row] + " below " + choices);
            }
        }
    }

    @Test
    void theLikeliestTokenIsThatOfAllLogits() {
        compare(readout(TensorType.Q8_0));
    }

    @Test
    void soItIsAtTheEndOfEveryRange() {
        compare(matrices.extremes(TensorType.Q8_0, OUTPUTS, COLUMNS, random.nextBoolean()));
    }

    @Test
    void weightsThatAreNoNumbersAreAlwaysLookedAt() {
        Tensor tensor = readout(TensorType.Q8_0);
        tensor.data().set(ValueLayout.JAVA_SHORT_UNALIGNED, 1000 * tensor.type().rowBytes(COLUMNS), (short) 0x7e00);
        compare(tensor);
    }

    @Test
    void largeWeightsAreAlwaysLookedAt() {
        Tensor tensor = readout(TensorType.Q8_0);
        for (int output : new int[] {1000, 2000, 3000}) {
            tensor.data()
                    .set(
                            ValueLayout.JAVA_SHORT_UNALIGNED,
                            output * tensor.type().rowBytes(COLUMNS),
                            (short) 0x7bff);
        }
        compare(tensor);
    }

    @Test
    void mostIsNotMultiplied() {
        Tensor tensor = readout(TensorType.Q8_0);
        float[] inputs = inputs(tensor);
        PackedMatrix packed = matrices.pack(tensor, Precision.FAST);
        float[] leaning = matrices.row(packed, 1234);
        for (int k = 0; k < COLUMNS; k++) {
            inputs[150 * COLUMNS + k] = 3 * leaning[k];
        }
        Executable executable = executable(tensor, inputs);
        Sequence sequence = executable.newSequence();
        improve(executable);
        try (PassProfile profile = PassProfile.start(executable)) {
            executable.run(rows(sequence, new int[] {150}, Wanted.BEST, OUTPUTS), () -> false, null);
            List<String> names =
                    profile.shares().stream().map(PassProfile.Share::name).toList();
            assertTrue(names.containsAll(List.of("approximate", "settle")), names.toString());
            assertFalse(names.stream().anyMatch(name -> name.contains("Q8_0")), names.toString());
        }
    }

    /** As many as there are outputs, so that each of these may be a token of a tree; few outputs come near the largest. */
    private float[] clearInputs(Tensor readout) {
        PackedMatrix packed = matrices.pack(readout, Precision.FAST);
        float[] inputs = new float[OUTPUTS * COLUMNS];
        for (int token = 0; token < OUTPUTS; token++) {
            float[] output = matrices.row(packed, random.nextInt(OUTPUTS));
            for (int k = 0; k < COLUMNS; k++) {
                inputs[token * COLUMNS + k] = 3 * output[k];
            }
        }
        return inputs;
    }

    /** By all logits; a row's depend on its token alone. */
    private int likeliest(Executable executable, Sequence sequence, int token) {
        executable.run(rows(sequence, new int[] {token}, Wanted.LOGITS, OUTPUTS), () -> false, null);
        return executable.best(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aRowHasTheSameTokenWhetherTheOneAboveLedToItOrNot(int threads) {
        Tensor tensor = readout(TensorType.Q8_0);
        try (CpuBackend own =
                CpuBackend.open(new CpuOptions(threads, Precision.FAST, KvCache.F16, 64, CpuOptions.Kernels.AUTO))) {
            Executable executable = executable(own, tensor, clearInputs(tensor));
            Sequence sequence = executable.newSequence();
            improve(executable);
            for (int trial = 0; trial < 100; trial++) {
                int[] parents = parents(1 + random.nextInt(4));
                int[] tokens = random.ints(parents.length, 0, OUTPUTS).toArray();
                int[] expected = new int[tokens.length];
                for (int row = 0; row < tokens.length; row++) {
                    int above = parents[row] < 0 ? -1 : expected[parents[row]];
                    tokens[row] = above >= 0 && random.nextInt(4) > 0 ? above : tokens[row];
                    expected[row] = likeliest(executable, sequence, tokens[row]);
                }
                Wanted[] wants = new Wanted[tokens.length];
                Arrays.fill(wants, Wanted.BEST);
                executable.run(new Rows(sequence, tokens, parents, wants, OUTPUTS), () -> false, null);
                for (int row : random.ints(8, 0, tokens.length).toArray()) {
                    assertEquals(expected[row], executable.best(row), row + " of " + Arrays.toString(tokens));
                }
            }
        }
    }

    @Test
    void aChainOfLikeliestTokensIsSettledInThePass() {
        Tensor tensor = readout(TensorType.Q8_0);
        Executable executable = executable(tensor, clearInputs(tensor));
        Sequence sequence = executable.newSequence();
        improve(executable);
        int[] chain = {150, 0, 0, 0};
        for (int row = 1; row < chain.length; row++) {
            chain[row] = likeliest(executable, sequence, chain[row - 1]);
        }
        assertEquals(4, settled(executable, sequence, chain));
        chain[2] = (chain[2] + 1) % OUTPUTS;
        assertEquals(2, settled(executable, sequence, chain));
    }

    /** How many depths of a chain a pass settles. */
    private static int settled(Executable executable, Sequence sequence, int[] chain) {
        Wanted[] wants = new Wanted[chain.length];
        Arrays.fill(wants, Wanted.BEST);
        int[] parents = IntStream.range(-1, chain.length - 1).toArray();
        try (PassProfile profile = PassProfile.start(executable)) {
            executable.run(new Rows(sequence, chain, parents, wants, OUTPUTS), () -> false, null);
            return profile.shares().stream()
                    .filter(share -> share.name().equals("settle"))
                    .mapToInt(PassProfile.Share::phases)
                    .sum();
        }
    }

    @Test
    void oneRowThatWantsAllLogitsHasThemAndTheOthersTheirBest() {
        Tensor tensor = readout(TensorType.Q8_0);
        Executable executable = executable(tensor, inputs(tensor));
        Sequence sequence = executable.newSequence();
        improve(executable);
        int[] tokens = {30, 31, 32};
        executable.run(rows(sequence, tokens, Wanted.LOGITS, OUTPUTS), () -> false, null);
        int first = executable.best(0);
        float[] last = new float[OUTPUTS];
        executable.logits(2, last);

        Wanted[] wants = {Wanted.BEST, Wanted.NOTHING, Wanted.LOGITS};
        executable.run(new Rows(sequence, tokens, new int[] {-1, 0, 0}, wants, OUTPUTS), () -> false, null);

        assertEquals(first, executable.best(0));
        assertThrows(UzuException.InvalidArgument.class, () -> executable.logits(0));
        assertThrows(UzuException.InvalidArgument.class, () -> executable.best(1));
        float[] again = new float[OUTPUTS];
        executable.logits(2, again);
        assertTrue(Arrays.equals(last, again));
    }

    @Test
    void scansInCMarkWhatTheSpecificationMarks() {
        LogitScan scan = NativeLogitScan.choose(CpuOptions.Kernels.AUTO).orElseThrow();
        LogitScan scalar = new ScalarLogitScan();
        for (int trial = 0; trial < 500; trial++) {
            int count = 1 + random.nextInt(700);
            float[] x = matrices.floats(count);
            for (int i = 0; i < count / 50; i++) {
                x[random.nextInt(count)] = random.nextBoolean() ? Float.NaN : Float.NEGATIVE_INFINITY;
            }
            MemorySegment logits = arena.allocateFrom(ValueLayout.JAVA_FLOAT, x);
            float[] radii = matrices.floats((count + 15) / 16 * 16);
            MemorySegment radius = arena.allocateFrom(ValueLayout.JAVA_FLOAT, radii);
            float reach = random.nextInt(10) == 0 ? Float.NaN : random.nextFloat();
            int at = random.nextInt(count);
            float least = random.nextBoolean() ? Math.fma(radii[at], reach, x[at]) : 4 * random.nextFloat();
            MemorySegment expected = arena.allocate(4L * radii.length / 16, 4);
            MemorySegment actual = arena.allocate(4L * radii.length / 16, 4);
            scalar.contenders(logits.address(), radius.address(), count, reach, least, expected.address());
            scan.contenders(logits.address(), radius.address(), count, reach, least, actual.address());
            assertEquals(-1, expected.mismatch(actual), "trial " + trial);
            assertEquals(scalar.largest(logits.address(), count), scan.largest(logits.address(), count));
        }
    }
}
