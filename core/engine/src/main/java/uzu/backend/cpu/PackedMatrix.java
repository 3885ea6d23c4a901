package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import uzu.backend.Weight;

/**
 * A matrix laid out for the kernels: units of {@link MatrixLayout#LANES} consecutive outputs, each one stream of
 * memory, padded with zeros to whole units.
 *
 * @param floats whether products take float inputs, else int8
 * @param data {@link #units} × {@link MatrixLayout#unitBytes} bytes; must outlive the matrix
 */
record PackedMatrix(String name, int rows, int columns, MatrixLayout layout, boolean floats, MemorySegment data)
        implements Weight {
    /** Units into which the outputs are divided; workers share a product by units. */
    int units() {
        return MatrixLayout.units(rows);
    }

    long bytes() {
        return data.byteSize();
    }

    /** Whether products with this matrix take the same prepared input as those with {@code other}. */
    boolean sharesInput(PackedMatrix other) {
        return floats == other.floats && columns == other.columns;
    }
}
