package uzu.format;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** The key/value section of an open GGUF file; arrays are decoded when asked for. */
final class GgufMetadata implements Metadata {
    private final Path path;
    private final Map<String, GgufValue> values;

    GgufMetadata(Path path, Map<String, GgufValue> values) {
        this.path = path;
        this.values = values;
    }

    @Override
    public Set<String> keys() {
        return Collections.unmodifiableSet(values.keySet());
    }

    @Override
    public boolean has(String key) {
        return values.containsKey(key);
    }

    @Override
    public String string(String key) {
        if (value(key) instanceof GgufValue.Text text) {
            return text.value();
        }
        throw wrongType(key, "a string");
    }

    @Override
    public @Nullable String stringOr(String key, @Nullable String otherwise) {
        return has(key) ? string(key) : otherwise;
    }

    @Override
    public long integer(String key) {
        GgufValue value = value(key);
        if (value instanceof GgufValue.Whole whole && !(whole.unsigned64() && whole.value() < 0)) {
            return whole.value();
        }
        if (value instanceof GgufValue.Real real && real.value() == (long) real.value()) {
            return (long) real.value();
        }
        throw wrongType(key, "an integer");
    }

    @Override
    public long integerOr(String key, long otherwise) {
        return has(key) ? integer(key) : otherwise;
    }

    @Override
    public double number(String key) {
        return switch (value(key)) {
            case GgufValue.Real real -> real.value();
            case GgufValue.Whole whole when !(whole.unsigned64() && whole.value() < 0) -> whole.value();
            default -> throw wrongType(key, "a number");
        };
    }

    @Override
    public double numberOr(String key, double otherwise) {
        return has(key) ? number(key) : otherwise;
    }

    @Override
    public boolean bool(String key) {
        if (value(key) instanceof GgufValue.Bool bool) {
            return bool.value();
        }
        throw wrongType(key, "a bool");
    }

    @Override
    public boolean boolOr(String key, boolean otherwise) {
        return has(key) ? bool(key) : otherwise;
    }

    @Override
    public String[] strings(String key) {
        GgufValue.Array array = array(key, "an array of strings");
        if (array.type() != GgufType.STRING) {
            throw wrongType(key, "an array of strings");
        }
        HeaderCursor cursor = new HeaderCursor(path, array.bytes());
        String[] strings = new String[array.count()];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = cursor.string(GgufHeader.MAX_STRING_BYTES, key);
        }
        return strings;
    }

    @Override
    public int[] ints(String key) {
        GgufValue.Array array = array(key, "an array of integers");
        ByteBuffer bytes = array.bytes();
        int[] ints = new int[array.count()];
        for (int i = 0; i < ints.length; i++) {
            long value = switch (array.type()) {
                case UINT8 -> Byte.toUnsignedLong(bytes.get(i));
                case INT8 -> bytes.get(i);
                case UINT16 -> Short.toUnsignedLong(bytes.getShort(2 * i));
                case INT16 -> bytes.getShort(2 * i);
                case UINT32 -> Integer.toUnsignedLong(bytes.getInt(4 * i));
                case INT32 -> bytes.getInt(4 * i);
                case UINT64, INT64 -> bytes.getLong(8 * i);
                case FLOAT32, FLOAT64, BOOL, STRING, ARRAY -> throw wrongType(key, "an array of integers");
            };
            if (value != (int) value) {
                throw corrupt("the key " + key + " has an element beyond 32 bits at " + i, key);
            }
            ints[i] = (int) value;
        }
        return ints;
    }

    @Override
    public float[] floats(String key) {
        GgufValue.Array array = array(key, "an array of floats");
        float[] floats = new float[array.count()];
        switch (array.type()) {
            case FLOAT32 -> array.bytes().asFloatBuffer().get(0, floats);
            case FLOAT64 -> {
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = (float) array.bytes().getDouble(8 * i);
                }
            }
            default -> throw wrongType(key, "an array of floats");
        }
        return floats;
    }

    private GgufValue.Array array(String key, String wanted) {
        if (value(key) instanceof GgufValue.Array array) {
            return array;
        }
        throw wrongType(key, wanted);
    }

    private GgufValue value(String key) {
        GgufValue value = values.get(key);
        if (value == null) {
            throw corrupt("the key " + key + " is missing", key);
        }
        return value;
    }

    private UzuException wrongType(String key, String wanted) {
        return corrupt(
                "the key " + key + " must be " + wanted + ", but is "
                        + value(key).kind(),
                key);
    }

    private UzuException corrupt(String message, String key) {
        return new UzuException.ModelCorrupt(path + ": " + message, Map.of("path", path.toString(), "key", key));
    }
}
