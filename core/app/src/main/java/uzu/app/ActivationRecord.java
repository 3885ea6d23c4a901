package uzu.app;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import uzu.UzuException;

/**
 * Activations of a run, as a safetensors file holds them: {@code ids} (I64) and float tensors such as
 * {@code prefill.layer.3} [tokens, width].
 */
record ActivationRecord(Map<String, Activations> tensors, int[] ids) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int LARGEST_HEADER = 100_000_000;

    /** {@code values} has rows × columns floats, row after row; further inner dimensions are folded into columns. */
    record Activations(int rows, int columns, float[] values) {}

    static ActivationRecord read(Path path) {
        try (var channel = Files.newByteChannel(path)) {
            ByteBuffer size = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            fill(channel, size, path);
            long header = size.getLong(0);
            if (header < 2 || header > LARGEST_HEADER || header > channel.size() - 8) {
                throw corrupt(path, "isn't a safetensors file");
            }
            ByteBuffer json = ByteBuffer.allocate((int) header);
            fill(channel, json, path);
            Map<String, Activations> tensors = new LinkedHashMap<>();
            int[] ids = {};
            for (Map.Entry<String, JsonNode> entry : JSON.readTree(json.array()).properties()) {
                JsonNode node = entry.getValue();
                if (entry.getKey().equals("__metadata__")) {
                    continue;
                }
                long from = node.path("data_offsets").path(0).asLong(-1);
                long to = node.path("data_offsets").path(1).asLong(-1);
                if (from < 0 || to < from || to - from > Integer.MAX_VALUE || 8 + header + to > channel.size()) {
                    throw corrupt(path, entry.getKey() + " lies outside the file");
                }
                channel.position(8 + header + from);
                ByteBuffer data = ByteBuffer.allocate((int) (to - from)).order(ByteOrder.LITTLE_ENDIAN);
                fill(channel, data, path);
                data.flip();
                String type = node.path("dtype").asString("");
                if (type.equals("I64") && entry.getKey().equals("ids")) {
                    ids = new int[data.remaining() / Long.BYTES];
                    for (int i = 0; i < ids.length; i++) {
                        ids[i] = Math.toIntExact(data.getLong());
                    }
                } else if (type.equals("F32")) {
                    tensors.put(entry.getKey(), floats(node.path("shape"), data));
                }
            }
            return new ActivationRecord(tensors, ids);
        } catch (JacksonException | ArithmeticException e) {
            throw corrupt(path, "has a header that can't be read: " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw new UzuException.InvalidArgument("there is no file " + path, Map.of("path", path.toString()), e);
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    path + " can't be read: " + e.getMessage(), Map.of("path", path.toString()), e);
        }
    }

    private static Activations floats(JsonNode shape, ByteBuffer data) {
        float[] values = new float[data.remaining() / Float.BYTES];
        data.asFloatBuffer().get(values);
        int rows = Math.max(1, shape.path(0).asInt(1));
        return new Activations(rows, values.length / rows, values);
    }

    private static void fill(SeekableByteChannel channel, ByteBuffer buffer, Path path) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw corrupt(path, "ends too early");
            }
        }
    }

    private static UzuException corrupt(Path path, String problem) {
        return new UzuException.ModelCorrupt(path + " " + problem, Map.of("path", path.toString()));
    }

    void write(Path path) {
        ObjectNode header = JSON.createObjectNode();
        long offset = describe(header, "ids", "I64", 0, (long) ids.length * Long.BYTES, ids.length, null);
        for (Map.Entry<String, Activations> entry : tensors.entrySet()) {
            Activations a = entry.getValue();
            offset = describe(
                    header, entry.getKey(), "F32", offset, (long) a.values.length * Float.BYTES, a.rows, a.columns);
        }
        byte[] json = header.toString().getBytes(StandardCharsets.UTF_8);
        int padded = (json.length + 7) / 8 * 8;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
            out.write(ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(padded)
                    .array());
            out.write(json);
            out.write(" ".repeat(padded - json.length).getBytes(StandardCharsets.UTF_8));
            ByteBuffer buffer = ByteBuffer.allocate(ids.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            for (int id : ids) {
                buffer.putLong(id);
            }
            out.write(buffer.array());
            for (Activations a : tensors.values()) {
                for (int row = 0; row < a.rows; row++) {
                    ByteBuffer line =
                            ByteBuffer.allocate(a.columns * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                    line.asFloatBuffer().put(a.values, row * a.columns, a.columns);
                    out.write(line.array());
                }
            }
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    path + " can't be written: " + e.getMessage(), Map.of("path", path.toString()), e);
        }
    }

    private static long describe(
            ObjectNode header, String name, String type, long offset, long bytes, int rows, @Nullable Integer columns) {
        ObjectNode node = header.putObject(name);
        node.put("dtype", type);
        ArrayNode shape = node.putArray("shape").add(rows);
        if (columns != null) {
            shape.add(columns);
        }
        node.putArray("data_offsets").add(offset).add(offset + bytes);
        return offset + bytes;
    }
}
