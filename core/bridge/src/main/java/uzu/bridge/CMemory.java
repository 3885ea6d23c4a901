package uzu.bridge;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Memory that C and Java both know, by address.
 *
 * @param allocate bytes → the address of as many, which C frees; 0 when there are none
 */
record CMemory(LongUnaryOperator allocate) {
    /** Of uzu_text and of uzu_string: an address and a length. */
    private static final long TEXT_BYTES = 16;

    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** The text at this place of an array of uzu_text; null for a NULL pointer. */
    @Nullable String text(long texts, int index) {
        long data = ALL.get(JAVA_LONG, texts + TEXT_BYTES * index);
        long length = ALL.get(JAVA_LONG, texts + TEXT_BYTES * index + Long.BYTES);
        if (length < 0 || length > Integer.MAX_VALUE - 8) {
            throw new UzuException.InvalidArgument("A text can't have the length " + length, Map.of("field", "length"));
        }
        if (data == 0) {
            return null;
        }
        byte[] bytes = ALL.asSlice(data, length).toArray(JAVA_BYTE);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException invalid) {
            throw new UzuException.InvalidArgument("A text isn't valid UTF-8: " + invalid.getMessage());
        }
    }

    void write(long address, long value) {
        ALL.set(JAVA_LONG_UNALIGNED, address, value);
    }

    /** Fills a uzu_string. */
    void write(long string, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long data = allocate.applyAsLong(bytes.length + 1L);
        if (data == 0) {
            throw new UzuException.OutOfMemory("No memory for a result of " + bytes.length + " bytes");
        }
        MemorySegment.copy(bytes, 0, ALL, JAVA_BYTE, data, bytes.length);
        ALL.set(JAVA_BYTE, data + bytes.length, (byte) 0);
        ALL.set(JAVA_LONG_UNALIGNED, string, data);
        ALL.set(JAVA_LONG_UNALIGNED, string + Long.BYTES, bytes.length);
    }
}
