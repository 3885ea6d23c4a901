package uzu.format;

import java.lang.foreign.MemorySegment;

/**
 * A tensor of a model file, read in place.
 *
 * @param rows product of all dimensions but the innermost (1 for a vector)
 * @param columns the innermost, contiguous dimension
 * @param data exactly {@code rows * type.rowBytes(columns)} bytes, little endian; valid while its checkpoint is open
 */
public record Tensor(String name, TensorType type, long rows, long columns, MemorySegment data) {
    /** Row {@code row}'s bytes. */
    public MemorySegment row(long row) {
        long bytes = type.rowBytes(columns);
        return data.asSlice(row * bytes, bytes);
    }
}
