package uzu.chat.jinja;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Variables of a block, over those of the blocks around it. */
final class Scope {
    private final @Nullable Scope outer;
    private final Map<String, Object> variables = new HashMap<>();

    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    void set(String name, Object value) {
        variables.put(name, value);
    }

    Object get(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            Object value = scope.variables.get(name);
            if (value != null) {
                return value;
            }
        }
        return Undefined.name(name);
    }
}
