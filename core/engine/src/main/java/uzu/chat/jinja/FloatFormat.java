package uzu.chat.jinja;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Floats in the notations of C's {@code %f}, {@code %e} and {@code %g}, rounded exactly, ties to even. */
final class FloatFormat {
    // More digits say nothing of a double, and would take quadratic time.
    private static final int MAX_PRECISION = 4_300;

    private FloatFormat() {}

    /** The absolute value of {@code number}; {@code type} is f, e, g or % in either case. */
    static String digits(double number, char type, int precision, boolean alternate) {
        if (precision > MAX_PRECISION) {
            throw TemplateError.limit("precision", MAX_PRECISION);
        }
        boolean large = Character.isUpperCase(type);
        double size = Math.abs(number);
        String text;
        if (Double.isNaN(size)) {
            text = "nan";
        } else if (Double.isInfinite(size)) {
            text = "inf";
        } else {
            text = switch (Character.toLowerCase(type)) {
                case 'e' -> exponential(new BigDecimal(size), precision, alternate);
                case 'g' -> general(new BigDecimal(size), Math.max(1, precision), alternate);
                case '%' -> fixed(new BigDecimal(size * 100), precision, alternate) + "%";
                default -> fixed(new BigDecimal(size), precision, alternate);
            };
        }
        return large ? Text.upper(text) : text;
    }

    private static String fixed(BigDecimal size, int precision, boolean alternate) {
        return size.setScale(precision, RoundingMode.HALF_EVEN).toPlainString()
                + (alternate && precision == 0 ? "." : "");
    }

    private static BigDecimal rounded(BigDecimal size, int digits) {
        return size.round(new MathContext(digits, RoundingMode.HALF_EVEN));
    }

    private static int exponent(BigDecimal size) {
        return size.signum() == 0 ? 0 : size.precision() - 1 - size.scale();
    }

    private static String exponential(BigDecimal size, int precision, boolean alternate) {
        BigDecimal rounded = rounded(size, precision + 1);
        int exponent = exponent(rounded);
        String mantissa = rounded.signum() == 0
                ? BigDecimal.ZERO.setScale(precision).toPlainString()
                : rounded.movePointLeft(exponent)
                        .setScale(precision, RoundingMode.UNNECESSARY)
                        .toPlainString();
        return mantissa + (alternate && precision == 0 ? "." : "") + power(exponent);
    }

    private static String power(int exponent) {
        int size = Math.abs(exponent);
        return "e" + (exponent < 0 ? "-" : "+") + (size < 10 ? "0" : "") + size;
    }

    private static String general(BigDecimal size, int precision, boolean alternate) {
        int exponent = exponent(rounded(size, precision));
        if (exponent < -4 || exponent >= precision) {
            String text = exponential(size, precision - 1, alternate);
            int mark = text.indexOf('e');
            return (alternate ? text.substring(0, mark) : withoutZeros(text.substring(0, mark))) + text.substring(mark);
        }
        String text = fixed(size, precision - 1 - exponent, alternate);
        return alternate ? text : withoutZeros(text);
    }

    private static String withoutZeros(String text) {
        if (text.indexOf('.') < 0) {
            return text;
        }
        String stripped = Text.stripEnd(text, "0");
        return stripped.endsWith(".") ? stripped.substring(0, stripped.length() - 1) : stripped;
    }
}
