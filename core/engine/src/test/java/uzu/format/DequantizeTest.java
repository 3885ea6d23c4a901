package uzu.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

class DequantizeTest {
    @Test
    void everyTypeIsBitEqualToThePythonReference() throws IOException {
        ByteBuffer expected = ByteBuffer.wrap(Files.readAllBytes(Resource.path("format/types.bin")))
                .order(ByteOrder.LITTLE_ENDIAN);
        try (Gguf file = Gguf.open(Resource.path("format/types.gguf"))) {
            assertEquals(
                    List.of(TensorType.values()).stream()
                            .map(TensorType::name)
                            .sorted()
                            .toList(),
                    file.tensors().keySet().stream()
                            .map(String::toUpperCase)
                            .sorted()
                            .toList());
            for (Tensor tensor : file.tensors().values()) {
                float[] row = new float[(int) tensor.columns()];
                for (int r = 0; r < tensor.rows(); r++) {
                    Dequantize.row(tensor, r, row);
                    for (int c = 0; c < row.length; c++) {
                        float want = expected.getFloat();
                        String where = tensor.name() + " row " + r + " column " + c;
                        assertEquals(Float.floatToRawIntBits(want), Float.floatToRawIntBits(row[c]), where);
                    }
                }
            }
        }
        assertEquals(0, expected.remaining());
    }
}
