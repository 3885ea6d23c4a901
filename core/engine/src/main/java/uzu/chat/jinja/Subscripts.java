package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code a.b}, {@code a[b]} and {@code a[b:c:d]}; what changes a value is out of reach, as in the sandbox. */
final class Subscripts {
    private static final Set<String> DICT_CHANGES = Set.of("clear", "pop", "popitem", "setdefault", "update");
    private static final Set<String> LIST_CHANGES =
            Set.of("append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove");

    private final Budget budget;

    Subscripts(Budget budget) {
        this.budget = budget;
    }

    /** {@code owner.name}: a method or field, else the element of that name. */
    Object attribute(Object owner, String name) {
        if (owner instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        Object member = member(owner, name);
        if (member != null) {
            return member;
        }
        Object element = element(owner, name);
        return element != null ? element : Undefined.in(owner, name);
    }

    /** {@code owner[key]}: an element, else for a string the method or field of that name. */
    Object item(Object owner, Object key) {
        if (owner instanceof Undefined undefined) {
            throw undefined.error(budget);
        }
        Object found = element(owner, key);
        if (found == null && Values.isString(key)) {
            found = member(owner, Values.text(key));
        }
        return found != null ? found : Undefined.in(owner, key);
    }

    /** A method or field, without looking at elements; null if there is none. */
    @Nullable Object member(Object owner, String name) {
        if (isUnsafe(owner, name)) {
            return Undefined.because(
                    "access to attribute '" + name + "' of '" + Values.type(owner) + "' object is unsafe.");
        }
        return switch (owner) {
            case LoopContext loop -> loop.attribute(name);
            case Namespace namespace -> namespace.fields().get(name);
            case Macro macro -> name.equals("name") ? macro.name() : null;
            case Cycler cycler -> cycler.attribute(name);
            case Tuple tuple
            when tuple.fields().contains(name) ->
                tuple.items().get(tuple.fields().indexOf(name));
            default -> Methods.of(owner, name, budget);
        };
    }

    private static boolean isUnsafe(Object owner, String name) {
        if (name.startsWith("__") && name.endsWith("__") && name.length() > 4) {
            return true;
        }
        return switch (owner) {
            case Dict ignored -> DICT_CHANGES.contains(name);
            case Range ignored -> false;
            case List<?> ignored -> LIST_CHANGES.contains(name);
            default -> false;
        };
    }

    private @Nullable Object element(Object owner, Object key) {
        return switch (owner) {
            case Dict dict -> isHashable(key) ? dict.get(key) : null;
            case List<?> list -> at(list, key);
            case Tuple tuple -> at(tuple.items(), key);
            case String text -> character(text, key);
            case Markup markup -> {
                Object character = character(markup.text(), key);
                yield character == null ? null : new Markup(Values.text(character));
            }
            default -> null;
        };
    }

    private static boolean isHashable(Object key) {
        return !(key instanceof Dict) && (!(key instanceof List<?>) || key instanceof Range);
    }

    private @Nullable Object at(List<?> items, Object key) {
        int index = index(key, items.size());
        return index < 0 ? null : items.get(index);
    }

    private @Nullable Object character(String text, Object key) {
        if (!Numbers.isInteger(key)) {
            return null;
        }
        budget.copy(text.length());
        int index = index(key, Text.length(text));
        return index < 0 ? null : Text.slice(text, index, index + 1);
    }

    /** The place that {@code key} names among {@code size}, or -1. */
    private int index(Object key, int size) {
        if (!Numbers.isInteger(key)) {
            return -1;
        }
        long index = Numbers.clamped(key, budget);
        long place = index < 0 ? index + size : index;
        return place >= 0 && place < size ? (int) place : -1;
    }

    Object slice(Object owner, Object start, Object stop, Object step) {
        return switch (owner) {
            case String text -> slice(text, start, stop, step);
            case Markup markup -> new Markup(slice(markup.text(), start, stop, step));
            case List<?> list -> slice(list, start, stop, step);
            case Tuple tuple -> new Tuple(slice(tuple.items(), start, stop, step));
            case Dict ignored -> throw new TemplateError("unhashable type: 'slice'");
            case Undefined undefined -> throw undefined.error(budget);
            default -> throw new TemplateError("'" + Values.type(owner) + "' object is not subscriptable");
        };
    }

    private String slice(String text, Object start, Object stop, Object step) {
        budget.copy(text.length());
        int size = Text.length(text);
        var places = new Places(size, start, stop, step, budget);
        if (places.step == 1) {
            return Text.slice(text, places.start, Math.max(places.start, places.stop));
        }
        int[] codePoints = text.codePoints().toArray();
        var result = new StringBuilder();
        for (long i = places.start; places.holds(i); i += places.step) {
            result.appendCodePoint(codePoints[(int) i]);
        }
        return result.toString();
    }

    private List<Object> slice(List<?> items, Object start, Object stop, Object step) {
        var places = new Places(items.size(), start, stop, step, budget);
        var result = new ArrayList<Object>();
        for (long i = places.start; places.holds(i); i += places.step) {
            result.add(items.get((int) i));
        }
        budget.copy(result.size());
        return result;
    }

    /** The bounds of a slice, brought into the sequence. */
    private static final class Places {
        private final int start;
        private final int stop;
        private final int step;

        Places(int size, Object start, Object stop, Object step, Budget budget) {
            this.step = step == None.NONE ? 1 : bound(step, budget);
            if (this.step == 0) {
                throw new TemplateError("slice step cannot be zero");
            }
            boolean forward = this.step > 0;
            int first = forward ? 0 : -1;
            int last = forward ? size : size - 1;
            this.start = start == None.NONE ? (forward ? first : last) : clip(bound(start, budget), size, first, last);
            this.stop = stop == None.NONE ? (forward ? last : first) : clip(bound(stop, budget), size, first, last);
        }

        private static int bound(Object value, Budget budget) {
            if (!Numbers.isInteger(value)) {
                throw new TemplateError("slice indices must be integers or None or have an __index__ method");
            }
            return Numbers.clamped(value, budget);
        }

        private static int clip(int bound, int size, int first, int last) {
            long place = bound < 0 ? (long) bound + size : bound;
            return Math.clamp(place, first, last);
        }

        boolean holds(long place) {
            return step > 0 ? place < stop : place > stop;
        }
    }
}
