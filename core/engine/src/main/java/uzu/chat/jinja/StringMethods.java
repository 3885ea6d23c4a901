package uzu.chat.jinja;

import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The methods of {@code str}. */
final class StringMethods {
    /** A method that takes the string, the call's values, and the budget. */
    private interface Method {
        Object apply(String text, Arguments arguments, Budget budget);
    }

    private static final Map<String, Method> METHODS = Map.ofEntries(
            Map.entry("strip", (s, a, b) -> Text.strip(s, characters(a, "strip"))),
            Map.entry("lstrip", (s, a, b) -> Text.stripStart(s, characters(a, "lstrip"))),
            Map.entry("rstrip", (s, a, b) -> Text.stripEnd(s, characters(a, "rstrip"))),
            Map.entry("upper", plain(Text::upper)),
            Map.entry("lower", plain(Text::lower)),
            Map.entry("casefold", plain(s -> Text.lower(Text.upper(s)))),
            Map.entry("title", plain(Text::title)),
            Map.entry("capitalize", plain(Text::capitalize)),
            Map.entry("swapcase", plain(Text::swapCase)),
            Map.entry("startswith", (s, a, b) -> isAffix(s, a, b, "startswith", String::startsWith)),
            Map.entry("endswith", (s, a, b) -> isAffix(s, a, b, "endswith", String::endsWith)),
            Map.entry("removeprefix", (s, a, b) -> {
                String prefix = a.bind("removeprefix", 1, "prefix").text(0);
                return s.startsWith(prefix) ? s.substring(prefix.length()) : s;
            }),
            Map.entry("removesuffix", (s, a, b) -> {
                String suffix = a.bind("removesuffix", 1, "suffix").text(0);
                return s.endsWith(suffix) ? s.substring(0, s.length() - suffix.length()) : s;
            }),
            Map.entry("replace", (s, a, b) -> {
                Parameters p = a.bind("replace", 2, "old", "new", "count");
                return Text.replace(s, p.text(0), p.text(1), p.integer(2, -1, b), b);
            }),
            Map.entry("split", (s, a, b) -> {
                Parameters p = a.bind("split", 0, "sep", "maxsplit");
                return Text.split(s, p.isNone(0) ? null : p.text(0), p.integer(1, -1, b), b);
            }),
            Map.entry("rsplit", (s, a, b) -> {
                Parameters p = a.bind("rsplit", 0, "sep", "maxsplit");
                return Text.splitRight(s, p.isNone(0) ? null : p.text(0), p.integer(1, -1, b), b);
            }),
            Map.entry(
                    "splitlines",
                    (s, a, b) ->
                            Text.lines(s, a.bind("splitlines", 0, "keepends").flag(0, false, b), b)),
            Map.entry(
                    "partition",
                    (s, a, b) -> partition(s, a.bind("partition", 1, "sep").text(0), false)),
            Map.entry(
                    "rpartition",
                    (s, a, b) -> partition(s, a.bind("rpartition", 1, "sep").text(0), true)),
            Map.entry("join", (s, a, b) -> join(s, a.bind("join", 1, "iterable").get(0), b)),
            Map.entry("find", (s, a, b) -> find(s, a, b, "find", false)),
            Map.entry("rfind", (s, a, b) -> find(s, a, b, "rfind", true)),
            Map.entry("index", (s, a, b) -> found(find(s, a, b, "index", false))),
            Map.entry("rindex", (s, a, b) -> found(find(s, a, b, "rindex", true))),
            Map.entry("count", StringMethods::count),
            Map.entry("format", (s, a, b) -> new BraceFormat(a, b).format(s)),
            Map.entry("zfill", StringMethods::zeroFill),
            Map.entry("ljust", (s, a, b) -> pad(s, a, b, "ljust", '<')),
            Map.entry("rjust", (s, a, b) -> pad(s, a, b, "rjust", '>')),
            Map.entry("center", (s, a, b) -> pad(s, a, b, "center", '^')),
            Map.entry("expandtabs", StringMethods::expandTabs),
            Map.entry("isdigit", all(StringMethods::isDigit)),
            Map.entry("isdecimal", all(Character::isDigit)),
            Map.entry("isnumeric", all(c -> Character.isDigit(c) || isOtherNumber(c))),
            Map.entry("isalpha", all(Character::isLetter)),
            Map.entry("isalnum", all(c -> Character.isLetterOrDigit(c) || isOtherNumber(c))),
            Map.entry("isspace", all(Text::isSpace)),
            Map.entry("isascii", (s, a, b) -> s.chars().allMatch(c -> c < 0x80)),
            Map.entry("isprintable", (s, a, b) -> s.codePoints().allMatch(Representation::isPrintable)),
            Map.entry("isupper", (s, a, b) -> Text.isAll(s, true)),
            Map.entry("islower", (s, a, b) -> Text.isAll(s, false)));

    private StringMethods() {}

    static @Nullable Callable of(String text, String name, Budget budget) {
        Method method = METHODS.get(name);
        if (method == null) {
            return null;
        }
        return arguments -> {
            budget.copy(text.length());
            return method.apply(text, arguments, budget);
        };
    }

    private static Method plain(java.util.function.UnaryOperator<String> change) {
        return (text, arguments, budget) -> {
            arguments.bind("str method", 0);
            return change.apply(text);
        };
    }

    private static Method all(IntPredicate predicate) {
        return (text, arguments, budget) -> !text.isEmpty() && text.codePoints().allMatch(predicate);
    }

    // Python counts superscript and circled digits, which aren't decimal.
    private static boolean isDigit(int c) {
        int value = Character.getNumericValue(c);
        return Character.isDigit(c) || (Character.getType(c) == Character.OTHER_NUMBER && value >= 0 && value <= 9);
    }

    private static boolean isOtherNumber(int c) {
        int type = Character.getType(c);
        return type == Character.OTHER_NUMBER || type == Character.LETTER_NUMBER;
    }

    private static @Nullable String characters(Arguments arguments, String name) {
        Parameters parameters = arguments.bind(name, 0, "chars");
        return parameters.isNone(0) ? null : parameters.text(0);
    }

    /** The part of {@code text} that the parameters from {@code first} on, a start and an end, choose. */
    private static String window(String text, Parameters parameters, int first, Budget budget) {
        if (parameters.isNone(first) && parameters.isNone(first + 1)) {
            return text;
        }
        Object part = new Subscripts(budget).slice(text, parameters.get(first), parameters.get(first + 1), None.NONE);
        return Values.text(part);
    }

    private static boolean isAffix(
            String text, Arguments arguments, Budget budget, String name, BiPredicate<String, String> is) {
        Parameters parameters = arguments.bind(name, 1, "prefix", "start", "end");
        String part = window(text, parameters, 1, budget);
        return parameters.get(0) instanceof Tuple tuple
                ? tuple.items().stream().anyMatch(affix -> is.test(part, Values.text(affix)))
                : is.test(part, parameters.text(0));
    }

    private static Tuple partition(String text, String separator, boolean fromRight) {
        if (separator.isEmpty()) {
            throw new TemplateError("empty separator");
        }
        int at = fromRight ? text.lastIndexOf(separator) : text.indexOf(separator);
        if (at < 0) {
            return fromRight ? Tuple.of("", "", text) : Tuple.of(text, "", "");
        }
        return Tuple.of(text.substring(0, at), separator, text.substring(at + separator.length()));
    }

    private static String join(String separator, Object items, Budget budget) {
        var joined = new Output(budget);
        List<Object> parts = Values.list(items, budget);
        for (int i = 0; i < parts.size(); i++) {
            if (!Values.isString(parts.get(i))) {
                throw new TemplateError(
                        "sequence item " + i + ": expected str instance, " + Values.type(parts.get(i)) + " found");
            }
            joined.append(i == 0 ? "" : separator).append(Values.text(parts.get(i)));
        }
        budget.copy(parts.size());
        return joined.toString();
    }

    private static long find(String text, Arguments arguments, Budget budget, String name, boolean last) {
        Parameters parameters = arguments.bind(name, 1, "sub", "start", "end");
        String part = window(text, parameters, 1, budget);
        String sub = parameters.text(0);
        int at = last ? part.lastIndexOf(sub) : part.indexOf(sub);
        if (at < 0) {
            return -1;
        }
        int offset = 0;
        if (!parameters.isNone(1)) {
            int size = Text.length(text);
            int start = parameters.integer(1, 0, budget);
            offset = Math.clamp(start < 0 ? (long) start + size : start, 0, size);
        }
        return (long) part.codePointCount(0, at) + offset;
    }

    private static long found(long index) {
        if (index < 0) {
            throw new TemplateError("substring not found");
        }
        return index;
    }

    private static long count(String text, Arguments arguments, Budget budget) {
        Parameters parameters = arguments.bind("count", 1, "sub", "start", "end");
        String part = window(text, parameters, 1, budget);
        String sub = parameters.text(0);
        if (sub.isEmpty()) {
            return Text.length(part) + 1L;
        }
        long count = 0;
        for (int at = part.indexOf(sub); at >= 0; at = part.indexOf(sub, at + sub.length())) {
            count++;
        }
        return count;
    }

    private static String zeroFill(String text, Arguments arguments, Budget budget) {
        int width = arguments.bind("zfill", 1, "width").integer(0, 0, budget);
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        return (signed ? text.substring(0, 1) : "") + Text.pad(digits, width - (signed ? 1 : 0), "0", '>', budget);
    }

    private static String pad(String text, Arguments arguments, Budget budget, String name, char align) {
        Parameters parameters = arguments.bind(name, 1, "width", "fillchar");
        String fill = Values.text(parameters.get(1, " "));
        if (Text.length(fill) != 1) {
            throw new TemplateError("The fill character must be exactly one character long");
        }
        int width = parameters.integer(0, 0, budget);
        // str.center puts the odd space left when the width is odd, right when it is even.
        int padding = width - Text.length(text);
        if (align == '^' && padding > 0) {
            int left = padding / 2 + (padding & width & 1);
            return Text.repeat(fill, left, budget) + text + Text.repeat(fill, padding - left, budget);
        }
        return Text.pad(text, width, fill, align, budget);
    }

    private static String expandTabs(String text, Arguments arguments, Budget budget) {
        int size = arguments.bind("expandtabs", 0, "tabsize").integer(0, 8, budget);
        var expanded = new Output(budget);
        int column = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\t') {
                int spaces = size > 0 ? size - column % size : 0;
                expanded.append(Text.repeat(" ", spaces, budget));
                column += spaces;
            } else {
                expanded.append(c);
                column = c == '\n' || c == '\r' ? 0 : column + (Character.isLowSurrogate(c) ? 0 : 1);
            }
        }
        return expanded.toString();
    }
}
