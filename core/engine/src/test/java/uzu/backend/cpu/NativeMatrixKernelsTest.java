package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import uzu.Precision;
import uzu.backend.cpu.RandomMatrices.Destination;
import uzu.format.Tensor;
import uzu.format.TensorType;

class NativeMatrixKernelsTest {
    private static final MatrixKernels SCALAR = new ScalarMatrixKernels();

    static Stream<Arguments> twinsAndTypes() {
        return CompiledKernels.twins().stream()
                .flatMap(twin -> Stream.of(TensorType.values()).map(type -> Arguments.of(twin, type)));
    }

    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("twinsAndTypes")
    void everyTwinComputesWhatTheScalarOneDoes(CompiledKernels twin, TensorType type) {
        MatrixKernels kernels = twin.kernels();
        long seed = System.nanoTime();
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(seed, arena);
            for (int rows = 1; rows <= 20; rows++) {
                for (Precision precision : Precision.values()) {
                    int outputs = 1 + random.nextInt(50);
                    int columns = type.blockSize() * (1 + random.nextInt(type.blockSize() == 1 ? 200 : 5));
                    compare(kernels, random, random.tensor(type, outputs, columns), precision, rows, seed);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("twinsAndTypes")
    void sumsOfTheLargestQuantsDoNotOverflow(CompiledKernels twin, TensorType type) {
        MatrixKernels kernels = twin.kernels();
        long seed = System.nanoTime();
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(seed, arena);
            for (boolean low : new boolean[] {false, true}) {
                PackedMatrix matrix = random.pack(random.extremes(type, 16, 256, low), Precision.FAST);
                for (float x : new float[] {1, -1}) {
                    float[] input = new float[256];
                    Arrays.fill(input, x);
                    Destination to = new Destination(new float[16], 16, new float[0], false);
                    assertArrayEquals(
                            random.multiply(SCALAR, matrix, input, 1, to),
                            random.multiply(kernels, matrix, input, 1, to));
                }
            }
        }
    }

    @ParameterizedTest(name = "{0} {1}", allowZeroInvocations = true)
    @MethodSource("twinsAndTypes")
    void manyRowsOfWideMatricesAreTheSame(CompiledKernels twin, TensorType type) {
        MatrixKernels kernels = twin.kernels();
        long seed = System.nanoTime();
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(seed, arena);
            compare(kernels, random, random.tensor(type, 24, 3072), Precision.FAST, 77, seed);
        }
    }

    private static void compare(
            MatrixKernels kernels, RandomMatrices random, Tensor tensor, Precision precision, int rows, long seed) {
        PackedMatrix matrix = random.pack(tensor, precision);
        float[] x = random.floats(rows * matrix.columns());
        Destination to = random.destination(rows, matrix.rows());
        float[] expected = random.multiply(SCALAR, matrix, x, rows, to);
        float[] actual = random.multiply(kernels, matrix, x, rows, to);
        assertArrayEquals(
                expected,
                actual,
                () -> matrix.rows() + " × " + matrix.columns() + ", " + rows + " rows, " + precision + ", seed "
                        + seed);
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("uzu.backend.cpu.CompiledKernels#twins")
    void everyTwinPassesTheCheckAtLoad(CompiledKernels twin) {
        assertEquals(Optional.empty(), TwinCheck.firstDifference(twin.kernels()));
    }

    @Test
    void theScalarTwinIsThereWithoutLibrary() {
        assertEquals("scalar", MatrixTwins.choose(CpuOptions.Kernels.SCALAR).description());
    }

    @Test
    void theSecondRowOfATileEqualsTheFirstOfAnother() {
        assumeTrue(!CompiledKernels.twins().isEmpty(), "no C compiler");
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(9, arena);
            PackedMatrix matrix = random.pack(random.tensor(TensorType.Q4_K, 16, 256), Precision.FAST);
            float[] x = random.floats(256);
            float[] many = new float[256 * 9];
            for (int row = 0; row < 9; row++) {
                System.arraycopy(x, 0, many, row * 256, 256);
            }
            MatrixKernels kernels = CompiledKernels.twins().getFirst().kernels();
            float[] one = random.multiply(kernels, matrix, x, 1, new Destination(new float[16], 16, x, false));
            float[] all = random.multiply(kernels, matrix, many, 9, new Destination(new float[144], 16, x, false));
            for (int row = 0; row < 9; row++) {
                assertArrayEquals(one, Arrays.copyOfRange(all, row * 16, row * 16 + 16));
            }
        }
    }
}
