package uzu.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void valuesAreSeparatedAndNested() {
        JsonWriter json = new JsonWriter()
                .object()
                .put("a", 1)
                .object("b")
                .put("c", (Number) null)
                .endObject()
                .array("d")
                .add("x")
                .add("y")
                .endArray()
                .put("e", List.of(1, 2))
                .putJson("f", "true")
                .array("g")
                .object()
                .put("h", 0.5)
                .endObject()
                .object()
                .endObject()
                .endArray()
                .endObject();
        assertEquals(
                "{\"a\":1,\"b\":{\"c\":null},\"d\":[\"x\",\"y\"],\"e\":[1,2],\"f\":true,\"g\":[{\"h\":0.5},{}]}",
                json.toString());
    }

    @Test
    void whatTextsMayNotHoldIsEscaped() {
        String text = "\"\\/\n\r\t\b\u0000\u001fé\ud83d\ude00";
        assertEquals(
                text,
                Json.parse(new JsonWriter().object().put("t", text).endObject().toString())
                        .path("t")
                        .stringValue());
    }

    @Test
    void aNumberThatJsonHasNoWordForIsNull() {
        assertEquals(
                "{\"a\":null,\"b\":1.0E-5}",
                new JsonWriter()
                        .object()
                        .put("a", Double.NaN)
                        .put("b", 1e-5)
                        .endObject()
                        .toString());
    }
}
