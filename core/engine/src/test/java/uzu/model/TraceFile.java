package uzu.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A reference record beside its checkpoint: trace.safetensors and trace.json. */
record TraceFile(JsonNode header, ByteBuffer data, double tolerance) {
    static TraceFile in(Path folder) throws IOException {
        JsonNode about = new JsonMapper().readTree(Files.readString(folder.resolve("trace.json")));
        return read(folder, about.get("suggested_abs_tol").asDouble());
    }

    /** A record that suggests no tolerance. */
    static TraceFile read(Path folder, double tolerance) throws IOException {
        ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("trace.safetensors")))
                .order(ByteOrder.LITTLE_ENDIAN);
        int size = Math.toIntExact(file.getLong(0));
        JsonMapper json = new JsonMapper();
        JsonNode header = json.readTree(Arrays.copyOfRange(file.array(), 8, 8 + size));
        return new TraceFile(
                header, file.slice(8 + size, file.capacity() - 8 - size).order(ByteOrder.LITTLE_ENDIAN), tolerance);
    }

    boolean has(String name) {
        return header.has(name);
    }

    float[] floats(String name) {
        ByteBuffer bytes = bytes(name);
        float[] values = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(values);
        return values;
    }

    int[] ids(String name) {
        ByteBuffer bytes = bytes(name);
        int[] values = new int[bytes.remaining() / Long.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.toIntExact(bytes.getLong());
        }
        return values;
    }

    private ByteBuffer bytes(String name) {
        JsonNode offsets = header.get(name).get("data_offsets");
        int from = offsets.get(0).asInt();
        return data.slice(from, offsets.get(1).asInt() - from).order(ByteOrder.LITTLE_ENDIAN);
    }
}
