package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import uzu.chat.jinja.Filters.Filter;

/** Filters that sort, compare and group; strings without regard to case unless asked. */
final class OrderFilters {
    static final Map<String, Filter> ALL = Map.of(
            "sort", OrderFilters::sort,
            "dictsort", OrderFilters::dictSort,
            "unique", OrderFilters::unique,
            "groupby", OrderFilters::groupBy,
            "min", (value, a, r) -> extreme(value, a, r, "min"),
            "max", (value, a, r) -> extreme(value, a, r, "max"));

    private OrderFilters() {}

    private static List<Object> sorted(
            List<Object> items, UnaryOperator<Object> key, boolean reverse, Runtime runtime) {
        record Keyed(Object key, Object item) {}
        runtime.budget().list(items.size());
        var keyed = new ArrayList<Keyed>(items.size());
        items.forEach(item -> keyed.add(new Keyed(key.apply(item), item)));
        Comparator<Keyed> order = (a, b) -> {
            runtime.budget().step();
            return runtime.operators().order(a.key(), b.key());
        };
        keyed.sort(reverse ? order.reversed() : order);
        var sorted = new ArrayList<Object>(items.size());
        keyed.forEach(pair -> sorted.add(pair.item()));
        return sorted;
    }

    private static Object sort(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("sort", 0, "reverse", "case_sensitive", "attribute");
        boolean reverse = parameters.flag(0, false, runtime.budget());
        UnaryOperator<Object> folded = Runtime.folded(parameters.flag(1, false, runtime.budget()));
        return sorted(runtime.list(value), keys(parameters.get(2), folded, runtime), reverse, runtime);
    }

    /** The sort key: one attribute, or a list of those between commas. */
    private static UnaryOperator<Object> keys(Object attribute, UnaryOperator<Object> folded, Runtime runtime) {
        if (!Values.isString(attribute) || !Values.text(attribute).contains(",")) {
            UnaryOperator<Object> getter = runtime.getter(attribute, None.NONE);
            return item -> folded.apply(getter.apply(item));
        }
        var getters = new ArrayList<UnaryOperator<Object>>();
        for (String part : Values.text(attribute).split(",", -1)) {
            getters.add(runtime.getter(part, None.NONE));
        }
        return item -> {
            var key = new ArrayList<Object>();
            getters.forEach(getter -> key.add(folded.apply(getter.apply(item))));
            return key;
        };
    }

    private static Object dictSort(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("dictsort", 0, "case_sensitive", "by", "reverse");
        UnaryOperator<Object> folded = Runtime.folded(parameters.flag(0, false, runtime.budget()));
        String by = Values.text(parameters.get(1, "key"));
        if (!by.equals("key") && !by.equals("value")) {
            throw new TemplateError("You can only sort by either \"key\" or \"value\"");
        }
        if (!(value instanceof Dict dict)) {
            throw value instanceof Undefined undefined
                    ? undefined.error(runtime.budget())
                    : new TemplateError("'" + Values.type(value) + " object' has no attribute 'items'");
        }
        int place = by.equals("key") ? 0 : 1;
        UnaryOperator<Object> key = item -> folded.apply(((Tuple) item).items().get(place));
        return sorted(dict.items(), key, parameters.flag(2, false, runtime.budget()), runtime);
    }

    private static Object unique(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("unique", 0, "case_sensitive", "attribute");
        return Lazy.generator(() -> {
            UnaryOperator<Object> folded = Runtime.folded(parameters.flag(0, false, runtime.budget()));
            UnaryOperator<Object> getter = runtime.getter(parameters.get(1), None.NONE);
            var seen = new Dict();
            var unique = new ArrayList<Object>();
            for (Object item : runtime.list(value)) {
                runtime.budget().step();
                Object key = folded.apply(getter.apply(item));
                if (!seen.contains(key)) {
                    seen.put(key, key);
                    unique.add(item);
                }
            }
            return unique.iterator();
        });
    }

    private static Object groupBy(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("groupby", 1, "attribute", "default", "case_sensitive");
        UnaryOperator<Object> getter = runtime.getter(parameters.get(0), parameters.get(1));
        UnaryOperator<Object> folded = Runtime.folded(parameters.flag(2, false, runtime.budget()));
        UnaryOperator<Object> key = item -> folded.apply(getter.apply(item));
        var groups = new ArrayList<Object>();
        List<Object> group = new ArrayList<>();
        for (Object item : sorted(runtime.list(value), key, false, runtime)) {
            boolean starts =
                    group.isEmpty() || !runtime.operators().equal(key.apply(group.getFirst()), key.apply(item));
            if (starts) {
                group = new ArrayList<>();
                groups.add(new Tuple(List.of(getter.apply(item), group), List.of("grouper", "list")));
            }
            group.add(item);
        }
        return groups;
    }

    private static Object extreme(Object value, Arguments arguments, Runtime runtime, String name) {
        Parameters parameters = arguments.bind(name, 0, "case_sensitive", "attribute");
        UnaryOperator<Object> folded = Runtime.folded(parameters.flag(0, false, runtime.budget()));
        UnaryOperator<Object> getter = runtime.getter(parameters.get(1), None.NONE);
        Comparator<Object> order = (a, b) -> {
            runtime.budget().step();
            return runtime.operators().order(folded.apply(getter.apply(a)), folded.apply(getter.apply(b)));
        };
        List<Object> items = runtime.list(value);
        if (items.isEmpty()) {
            return Undefined.because("No aggregated item, sequence was empty.");
        }
        // Of equal items the first, as in Python; Collections.max and min keep the first too.
        return name.equals("min") ? Collections.min(items, order) : Collections.max(items, order);
    }
}
