package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@code tojson} of transformers: {@code json.dumps}, with other characters than ASCII left as they are. */
final class Json {
    private final boolean ascii;
    private final @Nullable String indent;
    private final String itemSeparator;
    private final String keySeparator;
    private final boolean sorted;
    private final Budget budget;
    private final Output output;

    private Json(Parameters options, Budget budget) {
        this.budget = budget;
        this.output = new Output(budget);
        this.ascii = options.flag(0, false, budget);
        this.indent = indent(options, budget);
        this.sorted = options.flag(3, false, budget);
        if (options.isNone(2)) {
            itemSeparator = indent == null ? ", " : ",";
            keySeparator = ": ";
        } else {
            List<Object> separators = Values.list(options.get(2), budget);
            if (separators.size() != 2) {
                throw new TemplateError("separators must be a pair");
            }
            itemSeparator = Values.text(separators.get(0));
            keySeparator = Values.text(separators.get(1));
        }
    }

    static String filter(Object value, Arguments arguments, Budget budget) {
        var json = new Json(arguments.bind("tojson", 0, "ensure_ascii", "indent", "separators", "sort_keys"), budget);
        json.write(value, 0);
        return json.output.toString();
    }

    private static @Nullable String indent(Parameters options, Budget budget) {
        if (options.isNone(1)) {
            return null;
        }
        Object indent = options.get(1);
        return Values.isString(indent)
                ? Values.text(indent)
                : Text.repeat(" ", Numbers.clamped(indent, budget), budget);
    }

    private void write(Object value, int level) {
        budget.enter();
        switch (value) {
            case None ignored -> output.append("null");
            case Boolean flag -> output.append(flag ? "true" : "false");
            case Long number -> output.append(Long.toString(number));
            case BigInteger number -> output.append(number.toString());
            case Double number -> output.append(real(number));
            case String text -> quote(text);
            case Markup markup -> quote(markup.text());
            case Range range -> throw unserializable(range);
            case List<?> list -> array(list, level);
            case Tuple tuple -> array(tuple.items(), level);
            case Dict dict -> object(dict, level);
            default -> throw unserializable(value);
        }
        budget.leave();
    }

    private static TemplateError unserializable(Object value) {
        return new TemplateError("Object of type " + Values.type(value) + " is not JSON serializable");
    }

    private static String real(double number) {
        return Double.isNaN(number)
                ? "NaN"
                : Double.isInfinite(number) ? (number > 0 ? "Infinity" : "-Infinity") : Numbers.repr(number);
    }

    private void array(List<?> items, int level) {
        if (items.isEmpty()) {
            output.append("[]");
            return;
        }
        output.append('[');
        boolean first = true;
        for (Object item : items) {
            separate(first, level + 1);
            first = false;
            write(item, level + 1);
        }
        newLine(level);
        output.append(']');
    }

    private void object(Dict dict, int level) {
        if (dict.size() == 0) {
            output.append("{}");
            return;
        }
        var entries = new ArrayList<>(dict.entries());
        if (sorted) {
            var operators = new Operators(budget);
            entries.sort(Comparator.comparing(Dict.Entry::key, operators::order));
        }
        output.append('{');
        boolean first = true;
        for (Dict.Entry entry : entries) {
            separate(first, level + 1);
            first = false;
            quote(key(entry.key()));
            output.append(keySeparator);
            write(entry.value(), level + 1);
        }
        newLine(level);
        output.append('}');
    }

    private static String key(Object key) {
        return switch (key) {
            case String text -> text;
            case Markup markup -> markup.text();
            case None ignored -> "null";
            case Boolean flag -> flag ? "true" : "false";
            case Double number -> real(number);
            case Long number -> number.toString();
            case BigInteger number -> number.toString();
            default -> throw new TemplateError("keys must be str, int, float, bool or None, not " + Values.type(key));
        };
    }

    private void separate(boolean first, int level) {
        if (!first) {
            output.append(itemSeparator);
        }
        newLine(level);
    }

    private void newLine(int level) {
        if (indent != null) {
            output.append('\n').append(Text.repeat(indent, level, budget));
        }
    }

    private void quote(String text) {
        output.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> output.append("\\\"");
                case '\\' -> output.append("\\\\");
                case '\n' -> output.append("\\n");
                case '\r' -> output.append("\\r");
                case '\t' -> output.append("\\t");
                case '\b' -> output.append("\\b");
                case '\f' -> output.append("\\f");
                default -> {
                    if (c < ' ' || (ascii && c > '~')) {
                        output.append(String.format("\\u%04x", (int) c));
                    } else {
                        output.append(c);
                    }
                }
            }
        }
        output.append('"');
        budget.copy(text.length());
    }
}
