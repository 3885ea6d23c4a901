package uzu.chat.jinja;

import java.util.HashMap;
import java.util.Map;

/** Finds filters by name. */
final class Filters {
    /** What stands right of a bar. */
    interface Filter {
        Object apply(Object input, Arguments arguments, Runtime runtime);
    }

    private static final Map<String, Filter> ALL = all();

    private Filters() {}

    private static Map<String, Filter> all() {
        var all = new HashMap<String, Filter>();
        all.putAll(TextFilters.ALL);
        all.putAll(ValueFilters.ALL);
        all.putAll(SequenceFilters.ALL);
        all.putAll(OrderFilters.ALL);
        return Map.copyOf(all);
    }

    static boolean exists(String name) {
        return ALL.containsKey(name);
    }

    static Filter named(String name) {
        Filter filter = ALL.get(name);
        if (filter == null) {
            throw new TemplateError("No filter named '" + name + "' found.");
        }
        return filter;
    }
}
