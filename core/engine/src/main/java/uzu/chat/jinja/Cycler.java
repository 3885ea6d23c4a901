package uzu.chat.jinja;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code cycler(a, b, …)}: one after the other, over and over. */
final class Cycler {
    private final List<Object> items;
    private int position;

    Cycler(List<Object> items) {
        if (items.isEmpty()) {
            throw new TemplateError("at least one item has to be provided");
        }
        this.items = items;
    }

    @Nullable Object attribute(String name) {
        return switch (name) {
            case "current" -> items.get(position);
            case "next" ->
                (Callable) arguments -> {
                    Object current = items.get(position);
                    position = (position + 1) % items.size();
                    return current;
                };
            case "reset" ->
                (Callable) arguments -> {
                    position = 0;
                    return None.NONE;
                };
            default -> null;
        };
    }
}
