package uzu.format;

import org.jspecify.annotations.Nullable;

/** The value types of GGUF metadata, in the order of their numbers. */
enum GgufType {
    UINT8(1),
    INT8(1),
    UINT16(2),
    INT16(2),
    UINT32(4),
    INT32(4),
    FLOAT32(4),
    BOOL(1),
    STRING(0),
    ARRAY(0),
    UINT64(8),
    INT64(8),
    FLOAT64(8);

    private final int bytes;

    GgufType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of a value, 0 when values differ in length. */
    int bytes() {
        return bytes;
    }

    static @Nullable GgufType ofNumber(int number) {
        GgufType[] all = values();
        return number >= 0 && number < all.length ? all[number] : null;
    }
}
