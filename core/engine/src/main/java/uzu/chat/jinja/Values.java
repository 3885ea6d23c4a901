package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What all values have: a type, a truth, perhaps a length and an iterator. The values are {@link None}, Boolean, Long,
 * BigInteger (beyond a long), Double, String, {@link Markup}, List, {@link Tuple}, {@link Dict}, {@link View},
 * {@link Range}, {@link Lazy}, {@link Namespace}, {@link LoopContext}, {@link Callable} and {@link Undefined}.
 */
final class Values {
    private Values() {}

    /** The name of the Python type. */
    static String type(Object value) {
        return switch (value) {
            case None ignored -> "NoneType";
            case Boolean ignored -> "bool";
            case Long ignored -> "int";
            case BigInteger ignored -> "int";
            case Double ignored -> "float";
            case String ignored -> "str";
            case Markup ignored -> "Markup";
            case Range ignored -> "range";
            case List<?> ignored -> "list";
            case Tuple ignored -> "tuple";
            case Dict ignored -> "dict";
            case View view -> view.type();
            case Lazy lazy -> lazy.type();
            case Namespace ignored -> "Namespace";
            case LoopContext ignored -> "LoopContext";
            case Undefined ignored -> "Undefined";
            case Macro ignored -> "Macro";
            default -> "function";
        };
    }

    static boolean truth(Object value, Budget budget) {
        return switch (value) {
            case Boolean flag -> flag;
            case None ignored -> false;
            case Long number -> number != 0;
            case BigInteger number -> number.signum() != 0;
            case Double number -> number != 0;
            case Lazy ignored -> true;
            case Undefined ignored -> false;
            default -> !hasLength(value) || length(value, budget) != 0;
        };
    }

    static boolean hasLength(Object value) {
        return switch (value) {
            case String ignored -> true;
            case Markup ignored -> true;
            case List<?> ignored -> true;
            case Tuple ignored -> true;
            case Dict ignored -> true;
            case View ignored -> true;
            case LoopContext ignored -> true;
            case Undefined ignored -> true;
            default -> false;
        };
    }

    static int length(Object value, Budget budget) {
        return switch (value) {
            case String text -> stringLength(text, budget);
            case Markup markup -> stringLength(markup.text(), budget);
            case List<?> list -> list.size();
            case Tuple tuple -> tuple.items().size();
            case Dict dict -> dict.size();
            case View view -> view.items().size();
            case LoopContext loop -> loop.length();
            case Undefined ignored -> 0;
            default -> throw new TemplateError("object of type '" + type(value) + "' has no len()");
        };
    }

    private static int stringLength(String text, Budget budget) {
        budget.copy(text.length());
        return Text.length(text);
    }

    static boolean isIterable(Object value) {
        return hasLength(value) || value instanceof Lazy;
    }

    static Iterator<Object> iterator(Object value, Budget budget) {
        return value instanceof Lazy lazy ? lazy : list(value, budget).iterator();
    }

    /** The values that a loop over {@code value} sees; a list is returned as it is, so don't change it. */
    @SuppressWarnings("unchecked")
    static List<Object> list(Object value, Budget budget) {
        return switch (value) {
            case List<?> list -> (List<Object>) list;
            case Tuple tuple -> tuple.items();
            case Dict dict -> {
                budget.copy(dict.size());
                yield dict.keys();
            }
            case View view -> view.items();
            case String text -> characters(text, budget);
            case Markup markup -> characters(markup.text(), budget);
            case Lazy lazy -> drained(lazy, budget);
            case Undefined ignored -> List.of();
            case LoopContext loop -> loop.items();
            default -> throw new TemplateError("'" + type(value) + "' object is not iterable");
        };
    }

    private static List<Object> characters(String text, Budget budget) {
        budget.list(text.length());
        var characters = new ArrayList<Object>(text.length());
        text.codePoints().forEach(c -> characters.add(Character.toString(c)));
        return characters;
    }

    private static List<Object> drained(Lazy lazy, Budget budget) {
        var items = new ArrayList<Object>();
        while (lazy.hasNext()) {
            items.add(lazy.next());
            if (items.size() > budget.limits().list()) {
                budget.list(items.size());
            }
            budget.step();
        }
        return items;
    }

    static boolean isString(Object value) {
        return value instanceof String || value instanceof Markup;
    }

    /** The characters of a string; any other type is an error. */
    static String text(Object value) {
        return switch (value) {
            case String text -> text;
            case Markup markup -> markup.text();
            default -> throw new TemplateError("expected str instance, " + type(value) + " found");
        };
    }
}
