package uzu.format;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * The header of a GGUF file, version 2 or 3, little endian: magic, version, counts, key/value pairs, tensor entries.
 * Nothing is allocated for a count before the file was seen to hold that many.
 */
record GgufHeader(Map<String, GgufValue> values, List<Entry> entries, int alignment, long dataStart) {
    static final int MAGIC = 0x46554747;
    static final int MAX_KEYS = 1 << 16;
    static final int MAX_TENSORS = 1 << 18;
    static final int MAX_NAME_BYTES = 1 << 10;
    static final int MAX_STRING_BYTES = 1 << 24;
    static final int MAX_ARRAY_DEPTH = 4;
    static final int MAX_DIMENSIONS = 4;
    static final int MAX_ALIGNMENT = 1 << 16;

    /**
     * A tensor as the header describes it.
     *
     * @param offset of its data from the start of the data section
     */
    record Entry(String name, TensorType type, long rows, long columns, long offset, long bytes) {}

    static GgufHeader read(Path path, ByteBuffer bytes) {
        return new Reader(path, new HeaderCursor(path, bytes)).read();
    }

    private record Reader(Path path, HeaderCursor cursor) {
        GgufHeader read() {
            if (cursor.i32("the magic number") != MAGIC) {
                throw cursor.corrupt("not a GGUF file", "magic");
            }
            version();
            int tensors = (int) cursor.count(MAX_TENSORS, "the number of tensors");
            int keys = (int) cursor.count(MAX_KEYS, "the number of keys");
            Map<String, GgufValue> values = new LinkedHashMap<>();
            for (int i = 0; i < keys; i++) {
                String key = cursor.string(MAX_NAME_BYTES, "the name of key " + i);
                if (values.containsKey(key)) {
                    throw cursor.corrupt("the key " + key + " occurs twice", key);
                }
                values.put(key, value(key, type(key)));
            }
            int alignment = alignment(values.get("general.alignment"));
            List<Entry> entries = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (int i = 0; i < tensors; i++) {
                Entry entry = entry(i, alignment);
                if (!names.add(entry.name())) {
                    throw tensorCorrupt("occurs twice", entry.name());
                }
                entries.add(entry);
            }
            return new GgufHeader(values, entries, alignment, alignUp(cursor.position(), alignment));
        }

        private void version() {
            int version = cursor.i32("the version");
            if ((version & 0xFFFF) == 0 && version != 0) {
                throw unsupported("a big-endian GGUF file; only little-endian files are read", "version");
            }
            if (version != 2 && version != 3) {
                throw unsupported(
                        "GGUF version " + Integer.toUnsignedString(version) + "; versions 2 and 3 are read", "version");
            }
        }

        private GgufType type(String key) {
            int number = cursor.i32(key);
            GgufType type = GgufType.ofNumber(number);
            if (type == null) {
                throw cursor.corrupt("the key " + key + " has the unknown value type " + number, key);
            }
            return type;
        }

        private GgufValue value(String key, GgufType type) {
            return switch (type) {
                case UINT8 -> new GgufValue.Whole(Byte.toUnsignedLong(cursor.i8(key)), false);
                case INT8 -> new GgufValue.Whole(cursor.i8(key), false);
                case UINT16 -> new GgufValue.Whole(Short.toUnsignedLong(cursor.i16(key)), false);
                case INT16 -> new GgufValue.Whole(cursor.i16(key), false);
                case UINT32 -> new GgufValue.Whole(Integer.toUnsignedLong(cursor.i32(key)), false);
                case INT32 -> new GgufValue.Whole(cursor.i32(key), false);
                case UINT64 -> new GgufValue.Whole(cursor.i64(key), true);
                case INT64 -> new GgufValue.Whole(cursor.i64(key), false);
                case FLOAT32 -> new GgufValue.Real(Float.intBitsToFloat(cursor.i32(key)));
                case FLOAT64 -> new GgufValue.Real(Double.longBitsToDouble(cursor.i64(key)));
                case BOOL -> new GgufValue.Bool(bool(key));
                case STRING -> new GgufValue.Text(cursor.string(MAX_STRING_BYTES, key));
                case ARRAY -> array(key, 1);
            };
        }

        private boolean bool(String key) {
            byte value = cursor.i8(key);
            if (value != 0 && value != 1) {
                throw cursor.corrupt("the key " + key + " has a bool of value " + value, key);
            }
            return value == 1;
        }

        /** Checks that the array lies inside the file, element by element where their lengths differ. */
        private GgufValue.Array array(String key, int depth) {
            if (depth > MAX_ARRAY_DEPTH) {
                throw cursor.corrupt("the key " + key + " nests arrays deeper than " + MAX_ARRAY_DEPTH, key);
            }
            GgufType type = type(key);
            int count = (int) cursor.count(Integer.MAX_VALUE, key);
            int start = cursor.position();
            switch (type) {
                case STRING -> {
                    for (int i = 0; i < count; i++) {
                        cursor.skipString(MAX_STRING_BYTES, key);
                    }
                }
                case ARRAY -> {
                    for (int i = 0; i < count; i++) {
                        array(key, depth + 1);
                    }
                }
                case BOOL -> {
                    for (int i = 0; i < count; i++) {
                        bool(key);
                    }
                }
                default -> cursor.skip((long) count * type.bytes(), key);
            }
            return new GgufValue.Array(type, count, cursor.slice(start, cursor.position()));
        }

        private int alignment(@Nullable GgufValue value) {
            if (value == null) {
                return 32;
            }
            if (value instanceof GgufValue.Whole whole
                    && whole.value() >= 1
                    && whole.value() <= MAX_ALIGNMENT
                    && Long.bitCount(whole.value()) == 1) {
                return (int) whole.value();
            }
            throw cursor.corrupt(
                    "general.alignment must be a power of two up to " + MAX_ALIGNMENT, "general.alignment");
        }

        private Entry entry(int index, int alignment) {
            String name = cursor.string(MAX_NAME_BYTES, "the name of tensor " + index);
            int dimensions = cursor.i32(name);
            if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
                throw tensorCorrupt("has " + Integer.toUnsignedString(dimensions) + " dimensions", name);
            }
            long columns = dimension(name);
            long rows = 1;
            try {
                for (int d = 1; d < dimensions; d++) {
                    rows = Math.multiplyExact(rows, dimension(name));
                }
                TensorType type = tensorType(name);
                long offset = cursor.i64(name);
                if (columns % type.blockSize() != 0) {
                    throw tensorCorrupt(
                            "has rows of " + columns + " values, not a multiple of " + type.blockSize(), name);
                }
                if (offset < 0 || offset % alignment != 0) {
                    throw tensorCorrupt(
                            "starts at " + Long.toUnsignedString(offset) + ", not a multiple of " + alignment, name);
                }
                return new Entry(name, type, rows, columns, offset, Math.multiplyExact(rows, type.rowBytes(columns)));
            } catch (ArithmeticException e) {
                throw tensorCorrupt("is larger than any file", name);
            }
        }

        private long dimension(String name) {
            long length = cursor.i64(name);
            if (length <= 0) {
                throw tensorCorrupt("has a dimension of " + Long.toUnsignedString(length), name);
            }
            return length;
        }

        private TensorType tensorType(String name) {
            int number = cursor.i32(name);
            TensorType type = TensorType.ofGgml(number);
            if (type == null) {
                String known = GgmlTypeNames.of(number);
                String words = known == null ? "type number " + Integer.toUnsignedString(number) : "type " + known;
                throw new UzuException.ModelUnsupported(
                        path + ": the tensor " + name + " is stored as " + words + ", which is not supported",
                        Map.of("path", path.toString(), "tensor", name, "type", known == null ? "" + number : known));
            }
            return type;
        }

        private UzuException tensorCorrupt(String message, String name) {
            return new UzuException.ModelCorrupt(
                    path + ": the tensor " + name + " " + message, Map.of("path", path.toString(), "tensor", name));
        }

        private UzuException unsupported(String message, String field) {
            return new UzuException.ModelUnsupported(
                    path + ": " + message, Map.of("path", path.toString(), "field", field));
        }
    }

    private static long alignUp(long position, int alignment) {
        return (position + alignment - 1) & -alignment;
    }
}
