package uzu.chat.jinja;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import uzu.chat.jinja.Filters.Filter;

/** Filters that walk over items; those that are generators in Python do nothing until they are read. */
final class SequenceFilters {
    static final Map<String, Filter> ALL = Map.ofEntries(
            Map.entry("length", (value, a, r) -> (Object) (long) Values.length(value, r.budget())),
            Map.entry("count", (value, a, r) -> (Object) (long) Values.length(value, r.budget())),
            Map.entry("first", (value, a, r) -> {
                Iterator<Object> items = Values.iterator(value, r.budget());
                return items.hasNext() ? items.next() : Undefined.because("No first item, sequence was empty.");
            }),
            Map.entry("last", SequenceFilters::last),
            Map.entry("list", (value, a, r) -> new ArrayList<>(r.list(value))),
            Map.entry("items", SequenceFilters::items),
            Map.entry("join", SequenceFilters::join),
            Map.entry("reverse", SequenceFilters::reverse),
            Map.entry("map", SequenceFilters::map),
            Map.entry("select", (value, a, r) -> select(value, a, r, false, true)),
            Map.entry("reject", (value, a, r) -> select(value, a, r, false, false)),
            Map.entry("selectattr", (value, a, r) -> select(value, a, r, true, true)),
            Map.entry("rejectattr", (value, a, r) -> select(value, a, r, true, false)),
            Map.entry("batch", SequenceFilters::batch),
            Map.entry("slice", SequenceFilters::slice),
            Map.entry("sum", SequenceFilters::sum));

    private SequenceFilters() {}

    private static Object last(Object value, Arguments arguments, Runtime runtime) {
        if (value instanceof Lazy lazy) {
            throw new TemplateError("'" + lazy.type() + "' object is not reversible");
        }
        List<Object> items = runtime.list(value);
        return items.isEmpty() ? Undefined.because("No last item, sequence was empty.") : items.getLast();
    }

    private static Object items(Object value, Arguments arguments, Runtime runtime) {
        return Lazy.generator(() -> switch (value) {
            case Undefined ignored -> Collections.emptyIterator();
            case Dict dict -> dict.items().iterator();
            default -> throw new TemplateError("Can only get item pairs from a mapping.");
        });
    }

    private static Object join(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("join", 0, "d", "attribute");
        UnaryOperator<Object> getter = runtime.getter(parameters.get(1), None.NONE);
        String separator = runtime.str(parameters.get(0, ""));
        var output = new Output(runtime.budget());
        Iterator<Object> items = Values.iterator(value, runtime.budget());
        for (boolean first = true; items.hasNext(); first = false) {
            runtime.budget().step();
            output.append(first ? "" : separator).append(runtime.str(getter.apply(items.next())));
        }
        return output.toString();
    }

    private static Object reverse(Object value, Arguments arguments, Runtime runtime) {
        if (Values.isString(value)) {
            var reversed = new StringBuilder(Values.text(value)).reverse().toString();
            return value instanceof Markup ? new Markup(reversed) : reversed;
        }
        if (!Values.isIterable(value)) {
            throw new TemplateError("argument must be iterable");
        }
        List<Object> items = runtime.list(value);
        runtime.budget().copy(items.size());
        if (value instanceof Lazy) {
            return new ArrayList<>(items.reversed());
        }
        String type = value instanceof List<?> ? "list_reverseiterator" : "reversed";
        return new Lazy(type, () -> items.reversed().iterator());
    }

    private static Object map(Object value, Arguments arguments, Runtime runtime) {
        return generator(value, runtime, () -> {
            UnaryOperator<Object> change = mapping(arguments, runtime);
            Iterator<Object> items = Values.iterator(value, runtime.budget());
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return items.hasNext();
                }

                @Override
                public Object next() {
                    runtime.budget().step();
                    return change.apply(items.next());
                }
            };
        });
    }

    // In Python nothing, not even the arguments, is looked at before there is an item.
    private static Lazy generator(
            Object value, Runtime runtime, java.util.function.Supplier<Iterator<Object>> nonEmpty) {
        return Lazy.generator(() -> runtime.truth(value) ? nonEmpty.get() : Collections.emptyIterator());
    }

    private static UnaryOperator<Object> mapping(Arguments arguments, Runtime runtime) {
        if (arguments.positional().isEmpty() && arguments.named().containsKey("attribute")) {
            Parameters parameters = arguments.bind("map", 0, "attribute", "default");
            return runtime.getter(parameters.get(0), parameters.get(1));
        }
        if (arguments.positional().isEmpty()) {
            throw new TemplateError("map requires a filter argument");
        }
        String name = Values.text(arguments.positional().getFirst());
        Arguments rest = arguments.after(1);
        return item -> runtime.filter(name, item, rest);
    }

    private static Object select(
            Object value, Arguments arguments, Runtime runtime, boolean byAttribute, boolean wanted) {
        return generator(value, runtime, () -> {
            Predicate<Object> predicate = predicate(arguments, runtime, byAttribute);
            return selected(Values.iterator(value, runtime.budget()), item -> {
                runtime.budget().step();
                return predicate.test(item) == wanted;
            });
        });
    }

    private static Predicate<Object> predicate(Arguments arguments, Runtime runtime, boolean byAttribute) {
        List<Object> positional = arguments.positional();
        if (byAttribute && positional.isEmpty()) {
            throw new TemplateError("Missing parameter for attribute name");
        }
        UnaryOperator<Object> getter =
                byAttribute ? runtime.getter(positional.getFirst(), None.NONE) : UnaryOperator.identity();
        int testAt = byAttribute ? 1 : 0;
        if (positional.size() <= testAt) {
            return item -> runtime.truth(getter.apply(item));
        }
        String test = Values.text(positional.get(testAt));
        Arguments rest = arguments.after(testAt + 1);
        return item -> runtime.test(test, getter.apply(item), rest);
    }

    private static Iterator<Object> selected(Iterator<Object> items, Predicate<Object> predicate) {
        return new Iterator<>() {
            private @Nullable Object next;

            @Override
            public boolean hasNext() {
                while (next == null && items.hasNext()) {
                    Object item = items.next();
                    next = predicate.test(item) ? item : null;
                }
                return next != null;
            }

            @Override
            public Object next() {
                Object result = hasNext() ? next : null;
                if (result == null) {
                    throw new NoSuchElementException();
                }
                next = null;
                return result;
            }
        };
    }

    private static Object batch(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("batch", 1, "linecount", "fill_with");
        return Lazy.generator(() -> {
            int size = parameters.integer(0, 0, runtime.budget());
            List<Object> items = runtime.list(value);
            var batches = new ArrayList<Object>();
            // jinja2 fills a batch until its length is the count, which a count below 1 never is after the first item.
            int step = size < 1 ? Math.max(1, items.size()) : size;
            for (int start = 0; start < items.size(); start += step) {
                var batch = new ArrayList<Object>(items.subList(start, Math.min(items.size(), start + step)));
                if (!parameters.isNone(1) && batch.size() < size) {
                    runtime.budget().list(size);
                    batch.addAll(Collections.nCopies(size - batch.size(), parameters.get(1)));
                }
                batches.add(batch);
            }
            return batches.iterator();
        });
    }

    private static Object slice(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("slice", 1, "slices", "fill_with");
        return Lazy.generator(() -> {
            int count = parameters.integer(0, 0, runtime.budget());
            List<Object> items = runtime.list(value);
            if (count == 0) {
                throw new TemplateError("integer division or modulo by zero");
            }
            runtime.budget().list(Math.max(0, count));
            var slices = new ArrayList<Object>();
            int shortest = Math.floorDiv(items.size(), count);
            int longer = Math.floorMod(items.size(), count);
            int start = 0;
            for (int i = 0; i < count; i++) {
                int end = start + shortest + (i < longer ? 1 : 0);
                var slice = new ArrayList<Object>(items.subList(start, end));
                if (!parameters.isNone(1) && i >= longer) {
                    slice.add(parameters.get(1));
                }
                slices.add(slice);
                start = end;
            }
            return slices.iterator();
        });
    }

    private static Object sum(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("sum", 0, "attribute", "start");
        UnaryOperator<Object> getter = runtime.getter(parameters.get(0), None.NONE);
        Object sum = parameters.get(1, 0L);
        if (Values.isString(sum)) {
            throw new TemplateError("sum() can't sum strings [use ''.join(seq) instead]");
        }
        Iterator<Object> items = Values.iterator(value, runtime.budget());
        while (items.hasNext()) {
            sum = runtime.operators().arithmetic("+", sum, getter.apply(items.next()));
            runtime.budget().step();
        }
        return sum;
    }
}
