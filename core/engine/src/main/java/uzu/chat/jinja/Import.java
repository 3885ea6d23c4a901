package uzu.chat.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/** Copies what a caller passes into the interpreter's values. */
final class Import {
    private static final int MAX_DEPTH = 200;

    private Import() {}

    static Object value(@Nullable Object value, String path) {
        return value(value, path, 0);
    }

    private static Object value(@Nullable Object value, String path, int depth) {
        if (depth > MAX_DEPTH) {
            throw refused(path, "it nests deeper than " + MAX_DEPTH + " levels");
        }
        return switch (value) {
            case null -> None.NONE;
            case String text -> text;
            case Boolean flag -> flag;
            case Byte number -> number.longValue();
            case Short number -> number.longValue();
            case Integer number -> number.longValue();
            case Long number -> number;
            case BigInteger number -> Numbers.normal(number);
            case Float number -> number.doubleValue();
            case Double number -> number;
            case BigDecimal number -> number.doubleValue();
            case List<?> list -> {
                var items = new ArrayList<Object>(list.size());
                for (Object item : list) {
                    items.add(value(item, path, depth + 1));
                }
                yield items;
            }
            case Map<?, ?> map -> {
                var dict = new Dict();
                map.forEach((key, item) -> {
                    if (!(key instanceof String name)) {
                        throw refused(path, "it has a key that is not a string: " + key);
                    }
                    dict.put(name, value(item, path, depth + 1));
                });
                yield dict;
            }
            default ->
                throw refused(path, "a template cannot take " + value.getClass().getName());
        };
    }

    private static UzuException.InvalidArgument refused(String path, String reason) {
        return new UzuException.InvalidArgument("'" + path + "': " + reason, Map.of("field", path));
    }
}
