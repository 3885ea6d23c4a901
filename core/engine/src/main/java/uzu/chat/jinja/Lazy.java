package uzu.chat.jinja;

import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Python iterator: nothing happens until it is read, it can be read once, and it has no length. */
final class Lazy implements Iterator<Object> {
    private final String type;
    private final Supplier<Iterator<Object>> source;
    private @Nullable Iterator<Object> items;

    Lazy(String type, Supplier<Iterator<Object>> source) {
        this.type = type;
        this.source = source;
    }

    static Lazy generator(Supplier<Iterator<Object>> source) {
        return new Lazy("generator", source);
    }

    String type() {
        return type;
    }

    private Iterator<Object> items() {
        if (items == null) {
            items = source.get();
        }
        return items;
    }

    @Override
    public boolean hasNext() {
        return items().hasNext();
    }

    @Override
    public Object next() {
        return items().next();
    }
}
