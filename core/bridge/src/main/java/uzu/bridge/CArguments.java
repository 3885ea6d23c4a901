package uzu.bridge;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** One call from C, before anything in it is believed. */
final class CArguments implements Call {
    private static final long TEXT_BYTES = 2 * ADDRESS.byteSize();

    private final CApi.CMemory memory;
    private final long handle;
    private final MemorySegment texts;
    private final long number;
    private final MemorySegment out;

    CArguments(CApi.CMemory memory, long handle, MemorySegment texts, long number, MemorySegment out) {
        this.memory = memory;
        this.handle = handle;
        this.texts = texts;
        this.number = number;
        this.out = out;
    }

    @Override
    public long handle() {
        return handle;
    }

    @Override
    public long number() {
        return number;
    }

    /** Null for a NULL pointer. */
    @Override
    public @Nullable String optional(int index) {
        MemorySegment text = texts.reinterpret(TEXT_BYTES * (index + 1)).asSlice(TEXT_BYTES * index);
        MemorySegment data = text.get(ADDRESS, 0);
        long length = text.get(JAVA_LONG, ADDRESS.byteSize());
        if (length < -1 || length > Integer.MAX_VALUE - 8) {
            throw new UzuException.InvalidArgument("A text can't have the length " + length, Map.of("field", "length"));
        }
        if (data.equals(MemorySegment.NULL)) {
            return null;
        }
        byte[] bytes = length == -1 ? upToNul(data) : data.reinterpret(length).toArray(JAVA_BYTE);
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

    @Override
    public void value(LongSupplier action) {
        needResult();
        out.reinterpret(JAVA_LONG.byteSize()).set(JAVA_LONG, 0, action.getAsLong());
    }

    @Override
    public void string(Supplier<String> action) {
        needResult();
        memory.write(out, action.get());
    }

    @Override
    public void needResult() {
        if (out.equals(MemorySegment.NULL)) {
            throw new UzuException.InvalidArgument("The result pointer is NULL", Map.of("field", "result"));
        }
    }

    private static byte[] upToNul(MemorySegment data) {
        MemorySegment all = data.reinterpret(Integer.MAX_VALUE);
        long length = 0;
        while (all.get(JAVA_BYTE, length) != 0) {
            length++;
        }
        return all.asSlice(0, length).toArray(JAVA_BYTE);
    }
}
