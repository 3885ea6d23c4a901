package uzu.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import uzu.UzuException;

/**
 * Reads a header from its start, never past its end. Positions are ints: a header ends within the first 2 GiB of a
 * file. A mapped {@link ByteBuffer}, because walking a vocabulary through it is several times faster on a cold JVM
 * than through a memory segment.
 */
final class HeaderCursor {
    private final Path path;
    private final ByteBuffer bytes;
    private int position;

    HeaderCursor(Path path, ByteBuffer bytes) {
        this.path = path;
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    int position() {
        return position;
    }

    int remaining() {
        return bytes.limit() - position;
    }

    void skip(long count, String what) {
        position = take(count, what) + (int) count;
    }

    byte i8(String what) {
        int at = take(1, what);
        position = at + 1;
        return bytes.get(at);
    }

    short i16(String what) {
        int at = take(2, what);
        position = at + 2;
        return bytes.getShort(at);
    }

    int i32(String what) {
        int at = take(4, what);
        position = at + 4;
        return bytes.getInt(at);
    }

    long i64(String what) {
        int at = take(8, what);
        position = at + 8;
        return bytes.getLong(at);
    }

    /** An unsigned 64-bit count of at most {@code limit}. */
    long count(long limit, String what) {
        long value = i64(what);
        if (value < 0 || value > limit) {
            throw corrupt(what + " is " + Long.toUnsignedString(value) + ", more than the limit of " + limit, what);
        }
        return value;
    }

    /** A string of at most {@code limit} bytes, preceded by its 64-bit length. */
    String string(int limit, String what) {
        int length = (int) count(limit, what);
        int at = take(length, what);
        byte[] encoded = new byte[length];
        bytes.get(at, encoded);
        position = at + length;
        return decode(encoded, what);
    }

    void skipString(int limit, String what) {
        int at = take(8, what);
        long length = bytes.getLong(at);
        if (length < 0 || length > limit) {
            throw corrupt("a string of " + Long.toUnsignedString(length) + " bytes in " + what, what);
        }
        position = at + 8;
        skip(length, what);
    }

    private String decode(byte[] encoded, String what) {
        String text = new String(encoded, StandardCharsets.UTF_8);
        // Only a text with a replacement character can have been malformed; it is rare enough to encode again.
        if (text.indexOf('\uFFFD') >= 0 && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), encoded)) {
            throw corrupt("text that is not UTF-8 in " + what, what);
        }
        return text;
    }

    /** A view of the bytes of {@code [from, to)}. */
    ByteBuffer slice(int from, int to) {
        return bytes.slice(from, to - from).order(ByteOrder.LITTLE_ENDIAN);
    }

    UzuException corrupt(String message, String key) {
        return new UzuException.ModelCorrupt(path + ": " + message, Map.of("path", path.toString(), "key", key));
    }

    private int take(long count, String what) {
        if (count > remaining()) {
            throw corrupt("the file ends inside " + what, what);
        }
        return position;
    }
}
