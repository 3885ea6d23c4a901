package uzu.chat.jinja;

import org.jspecify.annotations.Nullable;

/** A name, field or element that isn't there: empty when printed or looped over, an error in most other uses. */
final class Undefined {
    private final @Nullable Object owner;
    private final @Nullable Object key;
    private final @Nullable String message;

    private Undefined(@Nullable Object owner, @Nullable Object key, @Nullable String message) {
        this.owner = owner;
        this.key = key;
        this.message = message;
    }

    static Undefined name(String name) {
        return new Undefined(null, name, null);
    }

    static Undefined in(Object owner, Object key) {
        return new Undefined(owner, key, null);
    }

    static Undefined because(String message) {
        return new Undefined(null, null, message);
    }

    TemplateError error(Budget budget) {
        return new TemplateError(message(budget));
    }

    private String message(Budget budget) {
        if (message != null) {
            return message;
        }
        if (owner == null) {
            return "'" + key + "' is undefined";
        }
        String type = describe(owner);
        return key instanceof String name
                ? "'" + type + "' has no attribute '" + name + "'"
                : type + " has no element " + (key == null ? "" : Representation.repr(key, budget));
    }

    private static String describe(Object owner) {
        return switch (owner) {
            case None ignored -> "None";
            case Namespace ignored -> "jinja2.utils.Namespace object";
            case LoopContext ignored -> "jinja2.runtime.LoopContext object";
            case Macro ignored -> "jinja2.runtime.Macro object";
            default -> Values.type(owner) + " object";
        };
    }
}
