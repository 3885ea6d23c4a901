package uzu.bridge;

import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * One call from C, before anything in it is believed.
 *
 * @param texts address of uzu_text's, as many as the function has
 * @param out where the result goes; 0 when the caller gave no place
 */
record CArguments(CMemory memory, long handle, long texts, long number, long out) implements Call {
    @Override
    public @Nullable String optional(int index) {
        return memory.text(texts, index);
    }

    @Override
    public void value(LongSupplier action) {
        needResult();
        memory.write(out, action.getAsLong());
    }

    @Override
    public void string(Supplier<String> action) {
        needResult();
        memory.write(out, action.get());
    }

    @Override
    public void needResult() {
        if (out == 0) {
            throw new UzuException.InvalidArgument("The result pointer is NULL", Map.of("field", "result"));
        }
    }
}
