package uzu.chat.jinja;

import java.util.List;

/** The functions every template finds: those of jinja2, and {@code raise_exception} and {@code strftime_now}. */
final class Globals {
    private Globals() {}

    static void define(Scope scope, Runtime runtime) {
        scope.set("range", (Callable) arguments -> range(arguments, runtime.budget()));
        scope.set("dict", (Callable) arguments -> dict(arguments, runtime));
        scope.set("namespace", (Callable) arguments -> {
            var namespace = new Namespace();
            for (Dict.Entry entry : dict(arguments, runtime).entries()) {
                namespace.fields().put(runtime.str(entry.key()), entry.value());
            }
            return namespace;
        });
        scope.set("joiner", (Callable) arguments ->
                new Joiner(runtime.str(arguments.bind("joiner", 0, "sep").get(0, ", "))));
        scope.set("cycler", (Callable) arguments -> new Cycler(arguments.positional()));
        scope.set("raise_exception", (Callable) arguments -> {
            Object message = arguments.bind("raise_exception", 1, "message").get(0);
            throw new TemplateError(runtime.str(message));
        });
        scope.set("strftime_now", (Callable) arguments -> {
            String format = arguments.bind("strftime_now", 1, "format").text(0);
            return new Strftime(runtime.clock().instant().atZone(runtime.clock().getZone()), runtime.budget())
                    .format(format);
        });
    }

    private static Range range(Arguments arguments, Budget budget) {
        int count = arguments.positional().size();
        if (count == 0 || count > 3 || !arguments.named().isEmpty()) {
            throw new TemplateError("range expected 1 to 3 arguments, got " + count);
        }
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            Object value = arguments.positional().get(i);
            if (!Numbers.isInteger(value)) {
                throw value instanceof Undefined undefined
                        ? undefined.error(budget)
                        : new TemplateError("'" + Values.type(value) + "' object cannot be interpreted as an integer");
            }
            values[i] = Numbers.big(value, budget).longValue();
        }
        long start = count == 1 ? 0 : values[0];
        long stop = count == 1 ? values[0] : values[1];
        long step = count == 3 ? values[2] : 1;
        if (step == 0) {
            throw new TemplateError("range() arg 3 must not be zero");
        }
        long size = Range.size(start, stop, step);
        if (Long.compareUnsigned(size, budget.limits().range()) > 0) {
            throw TemplateError.limit("range", budget.limits().range());
        }
        return new Range(start, stop, step, (int) size);
    }

    private static Dict dict(Arguments arguments, Runtime runtime) {
        var dict = new Dict();
        Parameters positional = new Arguments(arguments.positional(), java.util.Map.of()).bind("dict", 0, "iterable");
        Object source = positional.get(0);
        if (source instanceof Dict other) {
            runtime.budget().copy(other.size());
            dict.putAll(other);
        } else if (source != None.NONE) {
            for (Object item : runtime.list(source)) {
                List<Object> pair = runtime.list(item);
                if (pair.size() != 2) {
                    throw new TemplateError(
                            "dictionary update sequence element has length " + pair.size() + "; 2 is required");
                }
                dict.put(pair.get(0), pair.get(1));
            }
        }
        arguments.named().forEach(dict::put);
        return dict;
    }
}
