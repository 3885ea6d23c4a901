package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uzu.Precision;
import uzu.backend.RowOrder;
import uzu.backend.cpu.RandomMatrices.Destination;
import uzu.format.Dequantize;
import uzu.format.Tensor;
import uzu.format.TensorType;

class ScalarMatrixKernelsTest {
    private static final MatrixKernels KERNELS = new ScalarMatrixKernels();
    private static final long SEED = System.nanoTime();

    @ParameterizedTest
    @EnumSource
    void exactProductsEqualThoseInDouble(TensorType type) {
        compare(type, Precision.EXACT, 2e-6);
    }

    @ParameterizedTest
    @EnumSource
    void fastProductsAreOffByTheRoundingOfInputsOnly(TensorType type) {
        // A rounded input is off by up to d/2; over 512 columns of random signs the product is by a few times less.
        compare(type, Precision.FAST, type.isQuantized() ? 4e-3 : 2e-6);
    }

    /** Errors are measured against Σ |w·x|. */
    private static void compare(TensorType type, Precision precision, double tolerance) {
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(SEED, arena);
            int rows = 6;
            int columns = type.isQuantized() ? 512 : 501;
            PackedMatrix matrix = random.pack(random.tensor(type, 37, columns), precision);
            float[] x = random.floats(rows * columns);
            Destination to = random.destination(rows, 37);
            float[] out = random.multiply(KERNELS, matrix, x, rows, to);
            for (int row = 0; row < rows; row++) {
                for (int output = 0; output < 37; output++) {
                    float[] w = random.row(matrix, output);
                    double sum = 0;
                    double size = 0;
                    for (int k = 0; k < columns; k++) {
                        sum += (double) w[k] * x[row * columns + k];
                        size += Math.abs((double) w[k] * x[row * columns + k]);
                    }
                    int at = row * to.stride() + output;
                    double bias = to.bias().length == 0 ? 0 : to.bias()[output];
                    double before = to.add() ? to.before()[at] : 0;
                    double rest = 1e-6 * (Math.abs(bias) + Math.abs(before));
                    assertEquals(sum + bias + before, out[at], tolerance * size + rest, () -> "seed " + SEED);
                }
                float[] gap = Arrays.copyOfRange(out, row * to.stride() + 37, (row + 1) * to.stride());
                assertArrayEquals(
                        Arrays.copyOfRange(to.before(), row * to.stride() + 37, (row + 1) * to.stride()), gap);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void packedRowsAreThoseOfTheFile(TensorType type) {
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(SEED, arena);
            Tensor tensor = random.tensor(type, 19, type.isQuantized() ? 512 : 77);
            PackedMatrix matrix = random.pack(tensor, Precision.FAST);
            float[] expected = new float[matrix.columns()];
            for (int row = 0; row < matrix.rows(); row++) {
                Dequantize.row(tensor, row, expected);
                assertArrayEquals(expected, random.row(matrix, row), () -> "seed " + SEED);
            }
        }
    }

    @Test
    void rowsAreTakenInTheirOrder() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 0, 1, 2, 3, 4, 5, 6, 7);
            Tensor tensor = new Tensor("q", TensorType.F32, 8, 1, data);
            MatrixPacker packer = new MatrixPacker(arena, ParallelFor.SERIAL, Precision.FAST, null);
            PackedMatrix matrix = packer.pack(tensor, new RowOrder.PairsToHalves(4));
            float[] rows = new float[8];
            for (int row = 0; row < 8; row++) {
                rows[row] = new RandomMatrices(1, arena).row(matrix, row)[0];
            }
            assertArrayEquals(new float[] {0, 2, 1, 3, 4, 6, 5, 7}, rows);
        }
    }

    @Test
    void embeddingsAreScaled() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1, 2, 3, 4, 5, 6);
            PackedMatrix matrix =
                    new RandomMatrices(1, arena).pack(new Tensor("e", TensorType.F32, 2, 3, data), Precision.FAST);
            MemorySegment out = arena.allocate(12, 4);
            KERNELS.embed(matrix, 1, 0.5f, out.address());
            assertArrayEquals(new float[] {2, 2.5f, 3}, out.toArray(ValueLayout.JAVA_FLOAT));
        }
    }

    @Test
    void inputsTooSmallToScaleCountAsZero() {
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(SEED, arena);
            PackedMatrix matrix = random.pack(random.tensor(TensorType.Q8_0, 16, 64), Precision.FAST);
            float[] x = new float[64];
            Arrays.fill(x, 0, 32, 1e-37f);
            Destination to = new Destination(new float[16], 16, new float[0], false);
            assertArrayEquals(new float[16], random.multiply(KERNELS, matrix, x, 1, to));
        }
    }

    @Test
    void inputsThatAreNoNumbersShowInTheOutputs() {
        try (Arena arena = Arena.ofConfined()) {
            RandomMatrices random = new RandomMatrices(SEED, arena);
            PackedMatrix matrix = random.pack(random.tensor(TensorType.Q8_0, 16, 64), Precision.FAST);
            float[] x = random.floats(64);
            x[40] = Float.NaN;
            Destination to = new Destination(new float[16], 16, new float[0], false);
            for (float y : random.multiply(KERNELS, matrix, x, 1, to)) {
                assertTrue(Float.isNaN(y));
            }
        }
    }
}
