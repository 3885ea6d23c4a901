package uzu.chat.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import uzu.chat.jinja.Filters.Filter;

/** Filters on single values: numbers, fallbacks, attributes. */
final class ValueFilters {
    private static final Pattern FLOAT = Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?");
    private static final Pattern ALPHANUMERIC = Pattern.compile("[0-9a-z]+");
    private static final int MAX_DIGITS = 4_300;

    static final Map<String, Filter> ALL = Map.of(
            "default", ValueFilters::fallback,
            "d", ValueFilters::fallback,
            "int", ValueFilters::integer,
            "float", ValueFilters::real,
            "abs", ValueFilters::absolute,
            "round", ValueFilters::round,
            "attr", ValueFilters::attribute);

    private ValueFilters() {}

    private static Object fallback(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("default", 0, "default_value", "boolean");
        boolean replaced =
                value instanceof Undefined || (parameters.flag(1, false, runtime.budget()) && !runtime.truth(value));
        return replaced ? parameters.get(0, "") : value;
    }

    private static Object integer(Object value, Arguments arguments, Runtime runtime) {
        Parameters parameters = arguments.bind("int", 0, "default", "base");
        Object otherwise = parameters.get(0, 0L);
        if (value instanceof Undefined undefined) {
            throw undefined.error(runtime.budget());
        }
        if (Numbers.isInteger(value)) {
            return Numbers.normal(Numbers.big(value, runtime.budget()));
        }
        if (Values.isString(value)) {
            int base = parameters.integer(1, 10, runtime.budget());
            Optional<BigInteger> exact = parsed(Values.text(value), base);
            if (exact.isPresent()) {
                return Numbers.normal(exact.get());
            }
        }
        return number(value)
                .filter(Double::isFinite)
                .map(number -> Numbers.normal(new BigDecimal(number).toBigInteger()))
                .orElse(otherwise);
    }

    private static Optional<BigInteger> parsed(String text, int base) {
        String digits = Text.strip(text, null);
        boolean signed = digits.startsWith("-") || digits.startsWith("+");
        String sign = digits.startsWith("-") ? "-" : "";
        digits = Text.lower(signed ? digits.substring(1) : digits);
        int radix = base;
        String prefix = digits.length() > 2 ? digits.substring(0, 2) : "";
        int prefixed = prefix.equals("0x") ? 16 : prefix.equals("0o") ? 8 : prefix.equals("0b") ? 2 : 0;
        if (prefixed != 0 && (base == prefixed || base == 0)) {
            radix = prefixed;
            digits = digits.substring(2);
        } else if (base == 0) {
            radix = 10;
        }
        digits = withoutUnderscores(digits, Character::isLetterOrDigit);
        if (radix < 2
                || radix > 36
                || digits.length() > MAX_DIGITS
                || !ALPHANUMERIC.matcher(digits).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigInteger(sign + digits, radix));
        } catch (NumberFormatException notDigits) {
            return Optional.empty();
        }
    }

    private static Object real(Object value, Arguments arguments, Runtime runtime) {
        Object otherwise = arguments.bind("float", 0, "default").get(0, 0.0);
        if (value instanceof Undefined undefined) {
            throw undefined.error(runtime.budget());
        }
        if (Numbers.isNumber(value)) {
            return Numbers.real(value, runtime.budget());
        }
        return number(value).map(Object.class::cast).orElse(otherwise);
    }

    /** What {@code float(value)} gives for a float or a string that spells one. */
    private static Optional<Double> number(Object value) {
        if (value instanceof Double number) {
            return Optional.of(number);
        }
        if (!Values.isString(value)) {
            return Optional.empty();
        }
        String text = withoutUnderscores(Text.lower(Text.strip(Values.text(value), null)), Character::isDigit);
        String name = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        double sign = text.startsWith("-") ? -1 : 1;
        return switch (name) {
            case "inf", "infinity" -> Optional.of(sign * Double.POSITIVE_INFINITY);
            case "nan" -> Optional.of(Double.NaN);
            default ->
                text.length() <= MAX_DIGITS && FLOAT.matcher(text).matches()
                        ? Optional.of(Double.parseDouble(text))
                        : Optional.empty();
        };
    }

    /** Single underscores may stand between digits; others stay, and spoil the number. */
    private static String withoutUnderscores(String text, IntPredicate isDigit) {
        if (text.indexOf('_') < 0) {
            return text;
        }
        var kept = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            boolean between = i > 0
                    && i + 1 < text.length()
                    && isDigit.test(text.charAt(i - 1))
                    && isDigit.test(text.charAt(i + 1));
            if (text.charAt(i) != '_' || !between) {
                kept.append(text.charAt(i));
            }
        }
        return kept.toString();
    }

    private static Object absolute(Object value, Arguments arguments, Runtime runtime) {
        arguments.bind("abs", 0);
        if (value instanceof Double number) {
            return Math.abs(number);
        }
        if (!Numbers.isNumber(value) && !(value instanceof Undefined)) {
            throw new TemplateError("bad operand type for abs(): '" + Values.type(value) + "'");
        }
        return Numbers.normal(Numbers.big(value, runtime.budget()).abs());
    }

    private static Object round(Object value, Arguments arguments, Runtime runtime) {
        Budget budget = runtime.budget();
        Parameters parameters = arguments.bind("round", 0, "precision", "method");
        int precision = parameters.integer(0, 0, budget);
        String method = Values.text(parameters.get(1, "common"));
        if (!Numbers.isNumber(value) && !(value instanceof Undefined)) {
            throw new TemplateError("type " + Values.type(value) + " doesn't define __round__ method");
        }
        if (method.equals("common")) {
            return rounded(value, precision, budget);
        }
        double scale = Math.pow(10, precision);
        double scaled = Numbers.real(value, budget) * scale;
        return switch (method) {
            case "ceil" -> Math.ceil(scaled) / scale;
            case "floor" -> Math.floor(scaled) / scale;
            default -> throw new TemplateError("method must be common, ceil or floor");
        };
    }

    private static Object rounded(Object value, int precision, Budget budget) {
        if (value instanceof Double number) {
            // Beyond these places a double has no digits to round, or none left.
            if (!Double.isFinite(number) || precision > 400) {
                return number;
            }
            double size = precision < -400
                    ? 0
                    : new BigDecimal(Math.abs(number))
                            .setScale(precision, RoundingMode.HALF_EVEN)
                            .doubleValue();
            return Math.copySign(size, number);
        }
        BigInteger whole = Numbers.big(value, budget);
        if (precision >= 0) {
            return Numbers.normal(whole);
        }
        return precision < -MAX_DIGITS
                ? (Object) 0L
                : Numbers.normal(new BigDecimal(whole)
                        .setScale(precision, RoundingMode.HALF_EVEN)
                        .toBigInteger());
    }

    private static Object attribute(Object value, Arguments arguments, Runtime runtime) {
        String name = runtime.str(arguments.bind("attr", 1, "name").get(0));
        if (value instanceof Undefined undefined) {
            throw undefined.error(runtime.budget());
        }
        Object member = runtime.subscripts().member(value, name);
        return member == null ? Undefined.in(value, name) : member;
    }
}
