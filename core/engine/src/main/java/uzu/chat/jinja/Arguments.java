package uzu.chat.jinja;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of a call. */
record Arguments(List<Object> positional, Map<String, Object> named) {
    static final Arguments NONE = new Arguments(List.of(), Map.of());

    static Arguments of(Object... positional) {
        return new Arguments(List.of(positional), Map.of());
    }

    /** The values by parameter, the first {@code required} of which must be there. */
    Parameters bind(String function, int required, String... names) {
        if (positional.size() > names.length) {
            throw new TemplateError(function + "() takes at most " + names.length + " argument"
                    + (names.length == 1 ? "" : "s") + " (" + positional.size() + " given)");
        }
        var values = new @Nullable Object[names.length];
        for (int i = 0; i < positional.size(); i++) {
            values[i] = positional.get(i);
        }
        named.forEach((name, value) -> {
            int index = List.of(names).indexOf(name);
            if (index < 0) {
                throw new TemplateError(function + "() got an unexpected keyword argument '" + name + "'");
            }
            if (values[index] != null) {
                throw new TemplateError(function + "() got multiple values for argument '" + name + "'");
            }
            values[index] = value;
        });
        for (int i = 0; i < required; i++) {
            if (values[i] == null) {
                throw new TemplateError(function + "() missing required argument: '" + names[i] + "'");
            }
        }
        return new Parameters(values);
    }

    /** The same call without its first positional values. */
    Arguments after(int count) {
        return new Arguments(positional.subList(Math.min(count, positional.size()), positional.size()), named);
    }
}
