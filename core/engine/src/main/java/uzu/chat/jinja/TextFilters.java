package uzu.chat.jinja;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import uzu.chat.jinja.Filters.Filter;

/** Filters that give strings. */
final class TextFilters {
    private static final Pattern TITLE_BREAK = Pattern.compile("[-\\s({\\[<]+", Pattern.UNICODE_CHARACTER_CLASS);
    private static final int MAX_WIDTH = 1 << 20;

    static final Map<String, Filter> ALL = Map.ofEntries(
            Map.entry("upper", plain(Text::upper)),
            Map.entry("lower", plain(Text::lower)),
            Map.entry("capitalize", plain(Text::capitalize)),
            Map.entry("title", plain(TextFilters::title)),
            Map.entry("string", (value, a, r) -> Values.isString(value) ? value : r.str(value)),
            Map.entry("safe", (value, a, r) -> value instanceof Markup ? value : new Markup(r.str(value))),
            Map.entry("escape", (value, a, r) -> Markup.escape(value, r.budget())),
            Map.entry("e", (value, a, r) -> Markup.escape(value, r.budget())),
            Map.entry("forceescape", (value, a, r) -> new Markup(Markup.escaped(r.str(value)))),
            Map.entry("trim", TextFilters::trim),
            Map.entry("replace", TextFilters::replace),
            Map.entry("center", (value, a, r) -> {
                int width = a.bind("center", 0, "width").integer(0, 80, r.budget());
                return method(value, "center", Arguments.of((long) width), r);
            }),
            Map.entry("indent", TextFilters::indent),
            Map.entry("truncate", TextFilters::truncate),
            Map.entry(
                    "format",
                    (value, a, r) -> new PercentFormat(r.budget())
                            .format(r.str(value), a.named().isEmpty() ? new Tuple(a.positional()) : mapping(a))),
            Map.entry("urlencode", TextFilters::urlEncode),
            Map.entry("wordcount", (value, a, r) -> (Object) words(r.str(value))),
            Map.entry("tojson", (value, a, r) -> Json.filter(value, a, r.budget())));

    private TextFilters() {}

    private static Filter plain(UnaryOperator<String> change) {
        return (value, arguments, runtime) -> {
            arguments.bind("filter", 0);
            return kept(value, change.apply(runtime.str(value)));
        };
    }

    // What is safe stays safe when its characters change.
    private static Object kept(Object original, String text) {
        return original instanceof Markup ? new Markup(text) : text;
    }

    private static Object method(Object value, String name, Arguments arguments, Runtime runtime) {
        Object text = Values.isString(value) ? value : runtime.str(value);
        Callable method = Methods.of(text, name, runtime.budget());
        return method == null ? Undefined.in(text, name) : method.call(arguments);
    }

    private static Dict mapping(Arguments arguments) {
        var mapping = new Dict();
        arguments.named().forEach(mapping::put);
        return mapping;
    }

    private static long words(String text) {
        long words = 0;
        boolean inWord = false;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            boolean isWord = Character.isLetterOrDigit(c) || c == '_';
            words += isWord && !inWord ? 1 : 0;
            inWord = isWord;
        }
        return words;
    }

    private static String title(String text) {
        var result = new StringBuilder();
        Matcher breaks = TITLE_BREAK.matcher(text);
        int start = 0;
        while (breaks.find()) {
            result.append(titled(text.substring(start, breaks.start()))).append(breaks.group());
            start = breaks.end();
        }
        return result.append(titled(text.substring(start))).toString();
    }

    private static String titled(String word) {
        if (word.isEmpty()) {
            return word;
        }
        int first = word.offsetByCodePoints(0, 1);
        return Text.upper(word.substring(0, first)) + Text.lower(word.substring(first));
    }

    private static Object trim(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("trim", 0, "chars");
        return kept(value, Text.strip(runtime.str(value), parameters.isNone(0) ? null : parameters.text(0)));
    }

    private static Object replace(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("replace", 2, "old", "new", "count");
        String text = Text.replace(
                runtime.str(value),
                runtime.str(parameters.get(0)),
                runtime.str(parameters.get(1)),
                parameters.integer(2, -1, runtime.budget()),
                runtime.budget());
        return text;
    }

    private static Object indent(Object value, Arguments arguments, Runtime runtime) {
        Budget budget = runtime.budget();
        Parameters parameters = arguments.bind("indent", 0, "width", "first", "blank");
        Object width = parameters.get(0, 4L);
        String indent =
                Values.isString(width) ? Values.text(width) : Text.repeat(" ", Numbers.clamped(width, budget), budget);
        boolean first = parameters.flag(1, false, budget);
        boolean blank = parameters.flag(2, false, budget);
        List<Object> lines = Text.lines(Values.text(value) + "\n", false, budget);
        var output = new Output(budget);
        for (int i = 0; i < lines.size(); i++) {
            String line = Values.text(lines.get(i));
            boolean indented = i == 0 ? first : blank || !line.isEmpty();
            output.append(i == 0 ? "" : "\n").append(indented ? indent : "").append(line);
        }
        return kept(value, output.toString());
    }

    private static Object truncate(Object value, Arguments arguments, Runtime runtime) {
        Budget budget = runtime.budget();
        Parameters parameters = arguments.bind("truncate", 0, "length", "killwords", "end", "leeway");
        String text = Values.text(value);
        int length = Math.min(parameters.integer(0, 255, budget), MAX_WIDTH);
        String end = Values.text(parameters.get(2, "..."));
        int leeway = Math.min(parameters.integer(3, 5, budget), MAX_WIDTH);
        if (length < Text.length(end) || leeway < 0) {
            throw new TemplateError("expected length >= " + Text.length(end) + " and leeway >= 0");
        }
        if (Text.length(text) <= length + leeway) {
            return value;
        }
        String cut = Text.slice(text, 0, length - Text.length(end));
        int space = cut.lastIndexOf(' ');
        boolean kills = parameters.flag(1, false, budget);
        return kept(value, (kills || space < 0 ? cut : cut.substring(0, space)) + end);
    }

    private static Object urlEncode(Object value, Arguments arguments, Runtime runtime) {
        if (Values.isString(value) || !Values.isIterable(value)) {
            return quoted(runtime.str(value), true);
        }
        var output = new Output(runtime.budget());
        for (Object item : value instanceof Dict dict ? dict.items() : runtime.list(value)) {
            List<Object> pair = runtime.list(item);
            if (pair.size() != 2) {
                throw new TemplateError("expected pairs to encode");
            }
            output.append(output.isEmpty() ? "" : "&")
                    .append(quoted(runtime.str(pair.get(0)), false))
                    .append("=")
                    .append(quoted(runtime.str(pair.get(1)), false));
        }
        return output.toString();
    }

    private static String quoted(String text, boolean keepsSlashes) {
        String quoted = URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("%7E", "~")
                .replace("*", "%2A");
        return keepsSlashes ? quoted.replace("+", "%20").replace("%2F", "/") : quoted;
    }
}
