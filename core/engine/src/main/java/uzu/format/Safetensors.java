package uzu.format;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import uzu.UzuException;

/**
 * One safetensors file: eight bytes of header length, a JSON header, the data. The tensors must fill the data section
 * exactly, without gaps or overlaps, so that nothing hides in a file.
 */
final class Safetensors {
    static final int MAX_HEADER_BYTES = 64 << 20;
    private static final int MAX_DIMENSIONS = 8;
    private static final ValueLayout.OfLong LENGTH = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Path path;
    private final MemorySegment data;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, String> metadata;

    private record Entry(String name, TensorType type, long rows, long columns, long begin, long end) {}

    private Safetensors(Path path, MemorySegment data, Map<String, String> metadata) {
        this.path = path;
        this.data = data;
        this.metadata = metadata;
    }

    /**
     * The file's tensors in the header's order, mapped in {@code arena}.
     *
     * @param metadata takes the texts of the header's {@code __metadata__}
     */
    static Map<String, Tensor> read(Path path, SharedArena arena, Map<String, String> metadata) {
        MemorySegment file = MappedFile.map(path, arena);
        FileKind.require(FileKind.SAFETENSORS, path, file);
        long length = file.get(LENGTH, 0);
        if (length > MAX_HEADER_BYTES || length > file.byteSize() - Long.BYTES) {
            throw new UzuException.ModelCorrupt(
                    path + ": a header of " + length + " bytes is longer than the file or the limit",
                    Map.of("path", path.toString(), "field", "header"));
        }
        byte[] header = file.asSlice(Long.BYTES, length).toArray(ValueLayout.JAVA_BYTE);
        Safetensors parsed = new Safetensors(path, file.asSlice(Long.BYTES + length), metadata);
        parsed.header(new ByteArrayInputStream(header));
        parsed.requireNoGaps();
        Map<String, Tensor> tensors = LinkedHashMap.newLinkedHashMap(parsed.entries.size());
        for (Entry entry : parsed.entries.values()) {
            tensors.put(
                    entry.name,
                    new Tensor(
                            entry.name,
                            entry.type,
                            entry.rows,
                            entry.columns,
                            parsed.data.asSlice(entry.begin, entry.end - entry.begin)));
        }
        return tensors;
    }

    private void header(InputStream json) {
        try (JsonParser parser = JsonFiles.FACTORY.createParser(ObjectReadContext.empty(), json)) {
            require(parser.nextToken() == JsonToken.START_OBJECT, "the header is not a JSON object", null);
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals("__metadata__")) {
                    metadata(parser);
                } else {
                    entries.put(name, entry(parser, name));
                }
            }
            require(parser.nextToken() == null, "something follows the header's object", null);
        } catch (JacksonException e) {
            throw corrupt("malformed header: " + e.getOriginalMessage(), null, e);
        }
    }

    private void metadata(JsonParser parser) {
        require(parser.currentToken() == JsonToken.START_OBJECT, "__metadata__ is not an object", null);
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                metadata.put(name, parser.getString());
            } else {
                parser.skipChildren();
            }
        }
    }

    private Entry entry(JsonParser parser, String name) {
        String kind = null;
        List<Long> shape = null;
        List<Long> offsets = null;
        require(parser.currentToken() == JsonToken.START_OBJECT, "is not described by an object", name);
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (field) {
                case "dtype" -> {
                    require(value == JsonToken.VALUE_STRING, "has a dtype that is no string", name);
                    kind = parser.getString();
                }
                case "shape" -> shape = numbers(parser, name, MAX_DIMENSIONS);
                case "data_offsets" -> offsets = numbers(parser, name, 2);
                default -> throw corrupt("has the unknown field " + field, name, null);
            }
        }
        if (kind == null || shape == null || offsets == null || offsets.size() != 2) {
            throw corrupt("lacks dtype, shape or data_offsets", name, null);
        }
        return entry(name, type(name, kind), shape, offsets.get(0), offsets.get(1));
    }

    private Entry entry(String name, TensorType type, List<Long> shape, long begin, long end) {
        require(begin <= end && end <= data.byteSize(), "lies outside the file", name);
        long rows = 1;
        long columns = shape.isEmpty() ? 1 : shape.getLast();
        try {
            for (int d = 0; d < shape.size() - 1; d++) {
                rows = Math.multiplyExact(rows, shape.get(d));
            }
            require(rows > 0 && columns > 0, "has an empty dimension", name);
            long bytes = Math.multiplyExact(rows, type.rowBytes(columns));
            require(bytes == end - begin, "has " + (end - begin) + " bytes where its shape needs " + bytes, name);
        } catch (ArithmeticException e) {
            throw corrupt("is larger than any file", name, e);
        }
        return new Entry(name, type, rows, columns, begin, end);
    }

    private List<Long> numbers(JsonParser parser, String name, int limit) {
        require(parser.currentToken() == JsonToken.START_ARRAY, "has a shape or offsets that are no list", name);
        List<Long> numbers = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, "has a length that is no integer", name);
            require(numbers.size() < limit, "has more than " + limit + " numbers in a list", name);
            long number = parser.getLongValue();
            require(number >= 0, "has a negative length", name);
            numbers.add(number);
        }
        return numbers;
    }

    private TensorType type(String name, String kind) {
        return switch (kind) {
            case "F32" -> TensorType.F32;
            case "F16" -> TensorType.F16;
            case "BF16" -> TensorType.BF16;
            default ->
                throw new UzuException.ModelUnsupported(
                        path + ": the tensor " + name + " is stored as " + kind + ", which is not supported",
                        Map.of("path", path.toString(), "tensor", name, "type", kind));
        };
    }

    private void requireNoGaps() {
        List<Entry> byPosition = new ArrayList<>(entries.values());
        byPosition.sort(Comparator.comparingLong(Entry::begin));
        long position = 0;
        for (Entry entry : byPosition) {
            require(entry.begin == position, "overlaps another tensor or follows a gap", entry.name);
            position = entry.end;
        }
        require(position == data.byteSize(), (data.byteSize() - position) + " bytes follow the last tensor", null);
    }

    private void require(boolean condition, String message, @Nullable String tensor) {
        if (!condition) {
            throw corrupt(message, tensor, null);
        }
    }

    private UzuException corrupt(String message, @Nullable String tensor, @Nullable Throwable cause) {
        return tensor == null
                ? new UzuException.ModelCorrupt(path + ": " + message, Map.of("path", path.toString()), cause)
                : new UzuException.ModelCorrupt(
                        path + ": the tensor " + tensor + " " + message,
                        Map.of("path", path.toString(), "tensor", tensor),
                        cause);
    }
}
