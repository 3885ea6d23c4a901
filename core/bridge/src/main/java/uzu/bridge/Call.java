package uzu.bridge;

import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** One call of a function: what came with it, and where its result goes; hosts differ in how both are carried. */
interface Call {
    long handle();

    /** The number of the few functions that have one: a second handle, or milliseconds. */
    long number();

    /** A text, or null where none was given. */
    @Nullable String optional(int index);

    default String text(int index, String name) {
        String text = optional(index);
        if (text == null) {
            throw new UzuException.InvalidArgument(name + " is NULL", Map.of("field", name));
        }
        return text;
    }

    /** Runs the action for a result of 64 bits. */
    void value(LongSupplier action);

    /** Runs the action for a text. */
    void string(Supplier<String> action);

    /** Refuses a call without a place for its result before it is made: what it made would be lost. */
    void needResult();
}
