package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The methods of values other than strings, which are {@link StringMethods}. */
final class Methods {
    private Methods() {}

    static @Nullable Callable of(Object owner, String name, Budget budget) {
        return switch (owner) {
            case Dict dict -> dict(dict, name, budget);
            case List<?> list -> sequence(list, name, !(list instanceof Range), budget);
            case Tuple tuple -> sequence(tuple.items(), name, false, budget);
            case String text -> StringMethods.of(text, name, budget);
            case Markup markup -> markup(markup, name, budget);
            case Long number -> integer(number, name);
            case BigInteger number -> integer(number, name);
            case Double number when name.equals("is_integer") -> arguments -> number == Math.rint(number);
            default -> null;
        };
    }

    private static @Nullable Callable dict(Dict dict, String name, Budget budget) {
        return switch (name) {
            case "items" -> arguments -> view("dict_items", dict.items(), name, arguments, budget);
            case "keys" -> arguments -> view("dict_keys", dict.keys(), name, arguments, budget);
            case "values" -> arguments -> view("dict_values", dict.values(), name, arguments, budget);
            case "get" ->
                arguments -> {
                    Parameters parameters = arguments.bind(name, 1, "key", "default");
                    Object value = dict.get(parameters.get(0));
                    return value == null ? parameters.get(1) : value;
                };
            case "copy" ->
                arguments -> {
                    var copy = new Dict();
                    copy.putAll(dict);
                    budget.copy(dict.size());
                    return copy;
                };
            default -> null;
        };
    }

    private static View view(String type, List<Object> items, String method, Arguments arguments, Budget budget) {
        arguments.bind(method, 0);
        budget.copy(items.size());
        return new View(type, items);
    }

    private static @Nullable Callable sequence(List<?> items, String name, boolean copies, Budget budget) {
        return switch (name) {
            case "index" ->
                arguments -> {
                    int index = find(items, arguments.bind(name, 1, "value").get(0), budget);
                    if (index < 0) {
                        throw new TemplateError("value is not in the sequence");
                    }
                    return (long) index;
                };
            case "count" ->
                arguments -> {
                    Object wanted = arguments.bind(name, 1, "value").get(0);
                    var operators = new Operators(budget);
                    budget.copy(items.size());
                    return items.stream()
                            .filter(item -> operators.equal(item, wanted))
                            .count();
                };
            case "copy" -> copies ? arguments -> List.copyOf(items) : null;
            default -> null;
        };
    }

    private static int find(List<?> items, Object wanted, Budget budget) {
        var operators = new Operators(budget);
        for (int i = 0; i < items.size(); i++) {
            budget.step();
            if (operators.equal(items.get(i), wanted)) {
                return i;
            }
        }
        return -1;
    }

    private static @Nullable Callable integer(Object number, String name) {
        return switch (name) {
            case "bit_length" ->
                arguments -> number instanceof Long value
                        ? (long) BigInteger.valueOf(value).abs().bitLength()
                        : (long) ((BigInteger) number).abs().bitLength();
            case "is_integer" -> arguments -> true;
            default -> null;
        };
    }

    // Methods of a safe string give safe strings.
    private static @Nullable Callable markup(Markup markup, String name, Budget budget) {
        Callable method = StringMethods.of(markup.text(), name, budget);
        if (method == null) {
            return null;
        }
        return arguments -> {
            Object result = method.call(arguments);
            return result instanceof String text ? new Markup(text) : result;
        };
    }
}
