package uzu.backend.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import uzu.Precision;
import uzu.backend.RowOrder;
import uzu.format.Tensor;
import uzu.format.TensorType;

/** Random tensors of every type whose scales are of a model's size, and products with them. */
final class RandomMatrices {
    private final Random random;
    private final Arena arena;

    RandomMatrices(long seed, Arena arena) {
        this.random = new Random(seed);
        this.arena = arena;
    }

    /** All bits random, but for the f16 scales. */
    Tensor tensor(TensorType type, int rows, int columns) {
        byte[] bytes = new byte[Math.toIntExact(rows * type.rowBytes(columns))];
        random.nextBytes(bytes);
        for (int at = 0; at < bytes.length; at += type.blockBytes()) {
            switch (type) {
                case F32 -> bits(bytes, at, Float.floatToIntBits((float) random.nextGaussian()), 4);
                case BF16 -> bits(bytes, at, Float.floatToIntBits((float) random.nextGaussian()) >> 16, 2);
                case F16 -> bits(bytes, at, Float.floatToFloat16((float) random.nextGaussian()), 2);
                case Q4_0, Q5_0, Q8_0 -> scale(bytes, at);
                case Q2_K -> {
                    scale(bytes, at + 80);
                    scale(bytes, at + 82);
                }
                case Q3_K -> scale(bytes, at + 108);
                case Q6_K -> scale(bytes, at + 208);
                case Q4_1, Q5_1, Q4_K, Q5_K -> {
                    scale(bytes, at);
                    scale(bytes, at + 2);
                }
            }
        }
        MemorySegment data = arena.allocate(bytes.length, 64);
        MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return new Tensor("random " + type, type, rows, columns, data);
    }

    /** Every quant, scale and minimum at the end of its range that makes sums largest. */
    Tensor extremes(TensorType type, int rows, int columns, boolean low) {
        Tensor tensor = tensor(type, rows, columns);
        MemorySegment data = tensor.data();
        for (long at = 0; type.isQuantized() && at < data.byteSize(); at += type.blockBytes()) {
            MemorySegment block = data.asSlice(at, type.blockBytes());
            int scaleAt = switch (type) {
                case Q2_K -> 80;
                case Q3_K -> 108;
                case Q6_K -> 208;
                default -> 0;
            };
            short scale = block.get(ValueLayout.JAVA_SHORT_UNALIGNED, scaleAt);
            block.fill((byte) (low ? 0 : 255));
            if (type == TensorType.Q8_0 || type == TensorType.Q6_K) {
                block.asSlice(type == TensorType.Q8_0 ? 2 : 192).fill((byte) (low ? 0x80 : 0x7f));
            }
            block.set(ValueLayout.JAVA_SHORT_UNALIGNED, scaleAt, scale);
            if (type.blockBytes() > scaleAt + 4 || type == TensorType.Q2_K) {
                switch (type) {
                    case Q4_1, Q5_1, Q4_K, Q5_K, Q2_K ->
                        block.set(ValueLayout.JAVA_SHORT_UNALIGNED, scaleAt + 2, scale);
                    default -> {}
                }
            }
        }
        return tensor;
    }

    private void scale(byte[] bytes, int at) {
        bits(bytes, at, Float.floatToFloat16((random.nextFloat() - 0.3f) / 64), 2);
    }

    private static void bits(byte[] bytes, int at, int value, int count) {
        for (int i = 0; i < count; i++) {
            bytes[at + i] = (byte) (value >> 8 * i);
        }
    }

    PackedMatrix pack(Tensor tensor, Precision precision) {
        return new MatrixPacker(arena, ParallelFor.SERIAL, precision, null).pack(tensor, new RowOrder.Plain());
    }

    float[] floats(int count) {
        float[] x = new float[count];
        float size = (float) Math.exp(random.nextGaussian());
        for (int i = 0; i < count; i++) {
            x[i] = size * (float) random.nextGaussian();
        }
        return x;
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    /** Where products go: {@code before} is what the outputs were, {@code bias} empty for none. */
    record Destination(float[] before, int stride, float[] bias, boolean add) {}

    /** A destination with some floats between its rows, for {@code rows} of {@code outputs}. */
    Destination destination(int rows, int outputs) {
        int stride = outputs + nextInt(5);
        float[] bias = floats(random.nextBoolean() ? outputs : 0);
        return new Destination(floats(rows * stride), stride, bias, random.nextBoolean());
    }

    /** The destination after products of all rows of {@code x}, prepared and computed in two parts. */
    float[] multiply(MatrixKernels kernels, PackedMatrix matrix, float[] x, int rows, Destination to) {
        MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_FLOAT, x);
        MemorySegment prepared = arena.allocate(kernels.preparedBytes(matrix.columns(), rows), 64);
        prepared.fill((byte) 0xff);
        int split = random.nextInt(rows + 1);
        int groups = MatrixLayout.groups(matrix.columns());
        int group = random.nextInt(groups + 1);
        kernels.prepare(matrix, in.address(), matrix.columns(), split, rows, group, groups, prepared.address());
        kernels.prepare(matrix, in.address(), matrix.columns(), split, rows, 0, group, prepared.address());
        kernels.prepare(matrix, in.address(), matrix.columns(), 0, split, prepared.address());
        MemorySegment out = arena.allocateFrom(ValueLayout.JAVA_FLOAT, to.before);
        long bias = to.bias.length == 0
                ? 0
                : arena.allocateFrom(ValueLayout.JAVA_FLOAT, to.bias).address();
        int cut = random.nextInt(matrix.units() + 1);
        long p = prepared.address();
        kernels.multiply(matrix, cut, matrix.units(), p, rows, out.address(), to.stride, bias, to.add);
        kernels.multiply(matrix, 0, cut, p, rows, out.address(), to.stride, bias, to.add);
        return out.toArray(ValueLayout.JAVA_FLOAT);
    }

    /** Row {@code row} of the matrix as the kernels dequantise it. */
    float[] row(PackedMatrix matrix, int row) {
        MemorySegment out = arena.allocate(matrix.columns() * 4L, 4);
        new ScalarMatrixKernels().embed(matrix, row, 1, out.address());
        return out.toArray(ValueLayout.JAVA_FLOAT);
    }
}
