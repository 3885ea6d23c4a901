package uzu.chat.jinja;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The part after the colon in {@code '{:>10.3f}'}: {@code [[fill]align][sign][#][0][width][,][.precision][type]}. */
final class FormatSpec {
    private static final Pattern SPEC = Pattern.compile(
            "(?:(?<fill>.)?(?<align>[<>=^]))?(?<sign>[-+ ])?(?<alternate>#)?(?<zero>0)?(?<width>\\d+)?"
                    + "(?<grouping>[,_])?(?:\\.(?<precision>\\d+))?(?<type>[bcdeEfFgGnosxX%])?",
            Pattern.DOTALL);

    private final Budget budget;
    private final String spec;
    private final @Nullable String fill;
    private final @Nullable String align;
    private final String sign;
    private final boolean alternate;
    private final boolean zero;
    private final int width;
    private final @Nullable String grouping;
    private final int precision;
    private final char type;

    FormatSpec(String spec, Budget budget) {
        Matcher matcher = SPEC.matcher(spec);
        if (!matcher.matches()) {
            throw new TemplateError("Invalid format specifier '" + spec + "'");
        }
        this.budget = budget;
        this.spec = spec;
        this.fill = matcher.group("fill");
        this.align = matcher.group("align");
        this.sign = matcher.group("sign") == null ? "-" : matcher.group("sign");
        this.alternate = matcher.group("alternate") != null;
        this.zero = matcher.group("zero") != null;
        this.width = number(matcher.group("width"), 0);
        this.grouping = matcher.group("grouping");
        this.precision = number(matcher.group("precision"), -1);
        String typeName = matcher.group("type");
        this.type = typeName == null ? 0 : typeName.charAt(0);
    }

    private int number(@Nullable String digits, int fallback) {
        if (digits == null) {
            return fallback;
        }
        long number = digits.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(digits);
        budget.text(number);
        return (int) number;
    }

    String format(Object value) {
        if (spec.isEmpty()) {
            return Representation.str(value, budget);
        }
        if (Values.isString(value)) {
            return string(Values.text(value));
        }
        if (value instanceof Boolean && type == 0) {
            return string(Representation.str(value, budget));
        }
        boolean integral = Numbers.isInteger(value);
        if (integral && (type == 0 || "bcdnoxX".indexOf(type) >= 0)) {
            return integer(Numbers.big(value, budget));
        }
        if ((integral || value instanceof Double) && (type == 0 || "eEfFgGn%".indexOf(type) >= 0)) {
            return real(Numbers.real(value, budget));
        }
        if (Numbers.isNumber(value)) {
            throw unknownType(value);
        }
        throw new TemplateError("unsupported format string passed to " + Values.type(value) + ".__format__");
    }

    private TemplateError unknownType(Object value) {
        return new TemplateError("Unknown format code '" + type + "' for object of type '" + Values.type(value) + "'");
    }

    private String string(String text) {
        if (type != 0 && type != 's') {
            throw unknownType(text);
        }
        if ("=".equals(align)) {
            throw new TemplateError("'=' alignment not allowed in string format specifier");
        }
        String cut = precision < 0 || Text.length(text) <= precision ? text : Text.slice(text, 0, precision);
        return Text.pad(cut, width, fill(zero), align == null ? '<' : align.charAt(0), budget);
    }

    private String fill(boolean zeros) {
        return fill != null ? fill : zeros ? "0" : " ";
    }

    private String integer(BigInteger number) {
        if (precision >= 0) {
            throw new TemplateError("Precision not allowed in integer format specifier");
        }
        if (type == 'c') {
            int c = number.bitLength() < 32 ? number.intValue() : -1;
            if (!Character.isValidCodePoint(c)) {
                throw new TemplateError("%c arg not in range(0x110000)");
            }
            return Text.pad(Character.toString(c), width, fill(zero), align == null ? '<' : align.charAt(0), budget);
        }
        int radix = switch (type) {
            case 'b' -> 2;
            case 'o' -> 8;
            case 'x', 'X' -> 16;
            default -> 10;
        };
        String digits = grouped(number.abs().toString(radix), radix == 10 ? 3 : 4);
        String prefix = alternate && radix != 10 ? "0" + type : "";
        return aligned(number.signum() < 0, prefix, type == 'X' ? Text.upper(digits) : digits);
    }

    private String real(double number) {
        boolean negative = Math.copySign(1, number) < 0 && !Double.isNaN(number);
        if (type == 0 && precision < 0) {
            String repr = Numbers.repr(Math.abs(number));
            return aligned(negative, "", groupedReal(repr));
        }
        char notation = type == 0 || type == 'n' ? 'g' : type;
        String digits = FloatFormat.digits(number, notation, precision < 0 ? 6 : precision, alternate);
        boolean bare = type == 0 && digits.matches("\\d+") && precision > digits.length();
        return aligned(negative, "", groupedReal(bare ? digits + ".0" : digits));
    }

    private String groupedReal(String text) {
        int end = 0;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return grouped(text.substring(0, end), 3) + text.substring(end);
    }

    private String grouped(String digits, int size) {
        if (grouping == null) {
            return digits;
        }
        var text = new StringBuilder(digits);
        for (int at = digits.length() - size; at > 0; at -= size) {
            text.insert(at, grouping);
        }
        return text.toString();
    }

    private String aligned(boolean negative, String prefix, String digits) {
        String lead = (negative ? "-" : sign.equals("-") ? "" : sign) + prefix;
        char place = align != null ? align.charAt(0) : zero ? '=' : '>';
        return place == '='
                ? lead + Text.pad(digits, width - lead.length(), fill(zero), '>', budget)
                : Text.pad(lead + digits, width, fill(zero), place, budget);
    }
}
