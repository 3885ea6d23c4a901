package uzu.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TwinCheckTest {
    @Test
    void theSpecificationEqualsItself() {
        assertEquals(Optional.empty(), TwinCheck.firstDifference(new ScalarMatrixKernels()));
    }

    @Test
    void aTwinThatIsOffByTheLastBitIsFound() {
        assertEquals(Optional.of(MatrixLayout.Q5_K), TwinCheck.firstDifference(new OffByABit(MatrixLayout.Q5_K)));
    }

    /** Wrong in the last bit of the last output of one layout. */
    private record OffByABit(MatrixLayout layout) implements MatrixKernels {
        private static final MatrixKernels RIGHT = new ScalarMatrixKernels();

        @Override
        public String description() {
            return "off by a bit";
        }

        @Override
        public long preparedBytes(int columns, int rows) {
            return RIGHT.preparedBytes(columns, rows);
        }

        @Override
        public void prepare(
                PackedMatrix matrix, long x, int stride, int from, int to, int first, int last, long prepared) {
            RIGHT.prepare(matrix, x, stride, from, to, first, last, prepared);
        }

        @Override
        public void multiply(
                PackedMatrix matrix,
                int from,
                int to,
                long prepared,
                int rows,
                long out,
                int stride,
                long bias,
                boolean add) {
            RIGHT.multiply(matrix, from, to, prepared, rows, out, stride, bias, add);
            if (matrix.layout() == layout) {
                long last = out + 4L * (matrix.rows() - 1);
                int bits = Memory.ALL.get(ValueLayout.JAVA_INT, last);
                Memory.ALL.set(ValueLayout.JAVA_INT, last, bits ^ 1);
            }
        }

        @Override
        public void embed(PackedMatrix matrix, int row, float scale, long out) {
            RIGHT.embed(matrix, row, scale, out);
        }
    }
}
