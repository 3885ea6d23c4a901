package uzu.format;

import org.jspecify.annotations.Nullable;

/** How the values of a tensor are stored: {@code blockSize} consecutive values of a row in {@code blockBytes} bytes. */
public enum TensorType {
    F32(0, 1, 4),
    F16(1, 1, 2),
    Q4_0(2, 32, 18),
    Q4_1(3, 32, 20),
    Q5_0(6, 32, 22),
    Q5_1(7, 32, 24),
    Q8_0(8, 32, 34),
    Q2_K(10, 256, 84),
    Q3_K(11, 256, 110),
    Q4_K(12, 256, 144),
    Q5_K(13, 256, 176),
    Q6_K(14, 256, 210),
    BF16(30, 1, 2);

    private final int ggml;
    private final int blockSize;
    private final int blockBytes;

    TensorType(int ggml, int blockSize, int blockBytes) {
        this.ggml = ggml;
        this.blockSize = blockSize;
        this.blockBytes = blockBytes;
    }

    /** The number of this type in GGUF files. */
    public int ggml() {
        return ggml;
    }

    public int blockSize() {
        return blockSize;
    }

    public int blockBytes() {
        return blockBytes;
    }

    public boolean isQuantized() {
        return blockSize > 1;
    }

    /** Bytes of a row of {@code columns} values, a multiple of the block size. */
    public long rowBytes(long columns) {
        return Math.multiplyExact(columns / blockSize, (long) blockBytes);
    }

    public static @Nullable TensorType ofGgml(int number) {
        for (TensorType type : values()) {
            if (type.ggml == number) {
                return type;
            }
        }
        return null;
    }
}
