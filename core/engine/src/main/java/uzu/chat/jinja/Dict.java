package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A dict: insertion order, and keys that are the same when Python says so (1, 1.0 and True). */
final class Dict {
    record Entry(Object key, Object value) {}

    private record TupleKey(List<Object> items) {}

    private static final Object UNDEFINED_KEY = new Object();

    private final Map<Object, Entry> entries = new LinkedHashMap<>();

    void put(Object key, Object value) {
        Object identity = identity(key);
        Entry old = entries.get(identity);
        entries.put(identity, new Entry(old == null ? key : old.key(), value));
    }

    void putAll(Dict other) {
        other.entries().forEach(entry -> put(entry.key(), entry.value()));
    }

    @Nullable Object get(Object key) {
        Entry entry = entries.get(identity(key));
        return entry == null ? null : entry.value();
    }

    boolean contains(Object key) {
        return entries.containsKey(identity(key));
    }

    int size() {
        return entries.size();
    }

    Collection<Entry> entries() {
        return entries.values();
    }

    List<Object> keys() {
        var keys = new ArrayList<Object>(entries.size());
        entries().forEach(entry -> keys.add(entry.key()));
        return keys;
    }

    List<Object> values() {
        var values = new ArrayList<Object>(entries.size());
        entries().forEach(entry -> values.add(entry.value()));
        return values;
    }

    List<Object> items() {
        var items = new ArrayList<Object>(entries.size());
        entries().forEach(entry -> items.add(Tuple.of(entry.key(), entry.value())));
        return items;
    }

    /** The dict without what cannot be hashed or with equal keys told apart is never seen: this is Python's hash. */
    private static Object identity(Object key) {
        return switch (key) {
            case String text -> text;
            case Markup markup -> markup.text();
            case Boolean flag -> flag ? 1L : 0L;
            case Double number
            when number == Math.rint(number) && !number.isInfinite() ->
                Numbers.normal(new java.math.BigDecimal(number).toBigInteger());
            case Undefined ignored -> UNDEFINED_KEY;
            case Tuple tuple -> {
                var items = new ArrayList<Object>(tuple.items().size());
                tuple.items().forEach(item -> items.add(identity(item)));
                yield new TupleKey(items);
            }
            case Range range -> range;
            case Long number -> number;
            case BigInteger number -> number;
            case List<?> list -> throw new TemplateError("unhashable type: '" + Values.type(list) + "'");
            case Dict dict -> throw new TemplateError("unhashable type: '" + Values.type(dict) + "'");
            default -> key;
        };
    }
}
