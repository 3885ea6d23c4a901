package uzu.chat.jinja;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The {@code loop} of a running loop; called, it runs a recursive loop over other items, one level deeper. */
final class LoopContext implements Callable {
    private final List<Object> items;
    private final int depth;
    private final @Nullable Function<Object, Object> recursion;
    private final Budget budget;
    private int index;
    private @Nullable Tuple last;

    LoopContext(List<Object> items, int depth, @Nullable Function<Object, Object> recursion, Budget budget) {
        this.items = items;
        this.depth = depth;
        this.recursion = recursion;
        this.budget = budget;
    }

    void at(int newIndex) {
        index = newIndex;
    }

    int length() {
        return items.size();
    }

    List<Object> items() {
        return items;
    }

    String representation() {
        return "<LoopContext " + (index + 1) + "/" + items.size() + ">";
    }

    @Nullable Object attribute(String name) {
        return switch (name) {
            case "index" -> (long) index + 1;
            case "index0" -> (long) index;
            case "revindex" -> (long) items.size() - index;
            case "revindex0" -> (long) items.size() - index - 1;
            case "first" -> index == 0;
            case "last" -> index == items.size() - 1;
            case "length" -> (long) items.size();
            case "depth" -> (long) depth;
            case "depth0" -> (long) depth - 1;
            case "previtem" -> index > 0 ? items.get(index - 1) : Undefined.because("there is no previous item");
            case "nextitem" ->
                index + 1 < items.size() ? items.get(index + 1) : Undefined.because("there is no next item");
            case "cycle" -> (Callable) this::cycle;
            case "changed" -> (Callable) this::changed;
            default -> null;
        };
    }

    private Object cycle(Arguments arguments) {
        if (arguments.positional().isEmpty()) {
            throw new TemplateError("no items for cycling given");
        }
        return arguments.positional().get(index % arguments.positional().size());
    }

    private Object changed(Arguments arguments) {
        var values = new Tuple(arguments.positional());
        boolean changed = last == null || !new Operators(budget).equal(last, values);
        last = values;
        return changed;
    }

    @Override
    public Object call(Arguments arguments) {
        if (recursion == null) {
            throw new TemplateError("The loop must have the 'recursive' marker to be called recursively.");
        }
        return recursion.apply(arguments.bind("loop", 1, "iterable").get(0));
    }
}
