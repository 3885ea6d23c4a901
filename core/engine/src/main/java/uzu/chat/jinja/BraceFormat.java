package uzu.chat.jinja;

/** {@code '{} {name.field[0]!r:>10}'.format(…)}, reaching fields only as the sandbox allows. */
final class BraceFormat {
    private final Arguments arguments;
    private final Budget budget;
    private int automatic;
    private boolean manual;

    BraceFormat(Arguments arguments, Budget budget) {
        this.arguments = arguments;
        this.budget = budget;
    }

    String format(String format) {
        return format(format, 2);
    }

    private String format(String format, int depth) {
        if (depth == 0) {
            throw new TemplateError("Max string recursion exceeded");
        }
        var output = new Output(budget);
        int position = 0;
        while (position < format.length()) {
            char c = format.charAt(position);
            if ((c == '{' || c == '}') && format.startsWith(String.valueOf(c), position + 1)) {
                output.append(c);
                position += 2;
            } else if (c == '}') {
                throw new TemplateError("Single '}' encountered in format string");
            } else if (c == '{') {
                int end = fieldEnd(format, position + 1);
                output.append(field(format.substring(position + 1, end), depth));
                position = end + 1;
            } else {
                output.append(c);
                position++;
            }
        }
        return output.toString();
    }

    private static int fieldEnd(String format, int from) {
        int depth = 1;
        for (int i = from; i < format.length(); i++) {
            char c = format.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new TemplateError(
                from == format.length()
                        ? "Single '{' encountered in format string"
                        : "expected '}' before end of string");
    }

    /** {@code name[!conversion][:spec]}. */
    private String field(String field, int depth) {
        int end = 0;
        boolean inBrackets = false;
        while (end < field.length() && (inBrackets || (field.charAt(end) != ':' && field.charAt(end) != '!'))) {
            inBrackets = field.charAt(end) == '[' || (inBrackets && field.charAt(end) != ']');
            end++;
        }
        Object value = value(field.substring(0, end));
        if (end < field.length() && field.charAt(end) == '!') {
            char conversion = end + 1 < field.length() ? field.charAt(end + 1) : 0;
            value = switch (conversion) {
                case 's' -> Representation.str(value, budget);
                case 'r', 'a' -> Representation.repr(value, budget);
                default -> throw new TemplateError("Unknown conversion specifier '" + conversion + "'");
            };
            end += 2;
            if (end < field.length() && field.charAt(end) != ':') {
                throw new TemplateError("expected ':' after conversion specifier");
            }
        }
        String spec = end < field.length() ? field.substring(end + 1) : "";
        String expanded = spec.indexOf('{') < 0 ? spec : format(spec, depth - 1);
        return new FormatSpec(expanded, budget).format(value);
    }

    private Object value(String path) {
        int end = 0;
        while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
            end++;
        }
        Object value = argument(path.substring(0, end));
        var subscripts = new Subscripts(budget);
        while (end < path.length()) {
            if (path.charAt(end) == '.') {
                int start = ++end;
                while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
                    end++;
                }
                value = subscripts.attribute(value, path.substring(start, end));
            } else {
                int close = path.indexOf(']', end);
                if (path.charAt(end) != '[' || close < 0) {
                    throw new TemplateError("Missing ']' in format string");
                }
                String key = path.substring(end + 1, close);
                value = subscripts.item(value, isIndex(key) ? (Object) Long.parseLong(key) : key);
                end = close + 1;
            }
        }
        return value;
    }

    private static boolean isIndex(String name) {
        return !name.isEmpty() && name.length() < 10 && name.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private Object argument(String name) {
        if (!name.isEmpty() && !isIndex(name)) {
            Object value = arguments.named().get(name);
            if (value == null) {
                throw new TemplateError("'" + name + "'");
            }
            return value;
        }
        if (name.isEmpty() ? manual : automatic > 0) {
            throw new TemplateError("cannot mix manual field specification and automatic field numbering");
        }
        manual |= !name.isEmpty();
        int index = name.isEmpty() ? automatic++ : Integer.parseInt(name);
        if (index >= arguments.positional().size()) {
            throw new TemplateError("Replacement index " + index + " out of range for positional args tuple");
        }
        return arguments.positional().get(index);
    }
}
