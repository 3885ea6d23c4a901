package uzu.app.train;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;

/** Arrays of numbers in a safetensors file: eight bytes of header length, a JSON header, the data without gaps. */
final class TensorFile {
    private static final int CHUNK = 1 << 20;
    private static final long LARGEST_HEADER = 1 << 20;
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * One tensor.
     *
     * @param type {@code I32}, {@code F32}, {@code F16}, {@code BF16} or {@code U8}
     * @param data in the processor's byte order, one piece after the other
     */
    record Part(String name, String type, long[] shape, List<MemorySegment> data) {
        long bytes() {
            return data.stream().mapToLong(MemorySegment::byteSize).sum();
        }
    }

    private TensorFile() {}

    /** The file is there whole or not at all, whatever ends the program meanwhile. */
    static void write(Path file, List<Part> parts) {
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (FileChannel out = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                byte[] header = header(parts);
                ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
                write(out, buffer.putLong(header.length));
                write(out, buffer.clear().put(header));
                for (Part part : parts) {
                    for (MemorySegment piece : part.data) {
                        write(out, buffer, piece);
                    }
                }
                out.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw Disk.failure(file, e);
        }
    }

    private static void write(FileChannel out, ByteBuffer buffer, MemorySegment piece) throws IOException {
        MemorySegment target = MemorySegment.ofBuffer(buffer.clear());
        for (long from = 0; from < piece.byteSize(); from += CHUNK) {
            int count = (int) Math.min(CHUNK, piece.byteSize() - from);
            MemorySegment.copy(piece, from, target, 0, count);
            write(out, buffer.clear().position(count));
        }
    }

    private static void write(FileChannel out, ByteBuffer buffer) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
    }

    private static byte[] header(List<Part> parts) {
        StringBuilder json = new StringBuilder("{");
        long at = 0;
        for (Part part : parts) {
            String shape = Arrays.stream(part.shape).mapToObj(Long::toString).collect(Collectors.joining(","));
            json.append(json.length() == 1 ? "" : ",")
                    .append("\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%d,%d]}"
                            .formatted(part.name, part.type, shape, at, at + part.bytes()));
            at += part.bytes();
        }
        json.append('}');
        json.append(" ".repeat((8 - json.length() % 8) % 8));
        return json.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The tensors' data by name, mapped in {@code arena}.
     *
     * @throws UzuException.ModelCorrupt for a file that is cut short or is no such file
     */
    static Map<String, MemorySegment> read(Path file, Arena arena) {
        try (FileChannel in = FileChannel.open(file)) {
            MemorySegment all = in.map(FileChannel.MapMode.READ_ONLY, 0, in.size(), arena);
            long length = all.byteSize() < 8 ? -1 : all.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
            if (length < 2 || length > Math.min(LARGEST_HEADER, all.byteSize() - 8)) {
                throw corrupt(file, "is no safetensors file");
            }
            JsonNode header = JSON.readTree(all.asSlice(8, length).toArray(ValueLayout.JAVA_BYTE));
            MemorySegment data = all.asSlice(8 + length);
            Map<String, MemorySegment> tensors = new LinkedHashMap<>();
            long end = 0;
            for (Map.Entry<String, JsonNode> entry : header.properties()) {
                JsonNode offsets = entry.getValue().path("data_offsets");
                long from = offsets.path(0).asLong(-1);
                long to = offsets.path(1).asLong(-1);
                if (from != end || to < from || to > data.byteSize()) {
                    throw corrupt(file, "is cut short at its tensor " + entry.getKey());
                }
                end = to;
                tensors.put(entry.getKey(), data.asSlice(from, to - from));
            }
            if (end != data.byteSize()) {
                throw corrupt(file, "has " + (data.byteSize() - end) + " bytes too many");
            }
            return tensors;
        } catch (JacksonException e) {
            throw corrupt(file, "has a header that can't be read: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UzuException.InvalidArgument(
                    file + " can't be read: " + e.getMessage(), Map.of("path", file.toString()), e);
        }
    }

    static UzuException corrupt(Path file, String problem) {
        return new UzuException.ModelCorrupt(file + " " + problem, Map.of("path", file.toString()));
    }
}
