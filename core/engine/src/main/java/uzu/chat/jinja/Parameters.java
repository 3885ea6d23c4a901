package uzu.chat.jinja;

import org.jspecify.annotations.Nullable;

/** The values of a call by place in the function's signature; what the caller left out is absent. */
final class Parameters {
    private final @Nullable Object[] values;

    Parameters(@Nullable Object[] values) {
        this.values = values;
    }

    Object get(int index, Object fallback) {
        Object value = values[index];
        return value == null ? fallback : value;
    }

    Object get(int index) {
        return get(index, None.NONE);
    }

    boolean isNone(int index) {
        return get(index) == None.NONE;
    }

    boolean flag(int index, boolean fallback, Budget budget) {
        Object value = values[index];
        return value == null ? fallback : Values.truth(value, budget);
    }

    /** A string, or an error as Python words it. */
    String text(int index) {
        return Values.text(get(index));
    }

    /** An integer within int, larger ones at its bounds: enough for sizes and positions. */
    int integer(int index, int fallback, Budget budget) {
        Object value = values[index];
        return value == null || value == None.NONE ? fallback : Numbers.clamped(value, budget);
    }
}
