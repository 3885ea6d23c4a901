package uzu.chat.jinja;

import java.util.List;

/** A tuple; the fields of a named one ({@code groupby}) can be read by name too. */
record Tuple(List<Object> items, List<String> fields) {
    Tuple(List<Object> items) {
        this(items, List.of());
    }

    static Tuple of(Object... items) {
        return new Tuple(List.of(items));
    }
}
