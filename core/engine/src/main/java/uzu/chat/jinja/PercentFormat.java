package uzu.chat.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code format % values}. */
final class PercentFormat {
    private final Budget budget;
    private Object mapping = None.NONE;
    private List<Object> values = List.of();
    private int used;

    PercentFormat(Budget budget) {
        this.budget = budget;
    }

    String format(String format, Object operand) {
        values = operand instanceof Tuple tuple ? tuple.items() : List.of(operand);
        mapping = operand;
        boolean named = false;
        var output = new Output(budget);
        var scanner = new Scanner(format);
        while (!scanner.atEnd()) {
            char c = scanner.next();
            if (c != '%') {
                output.append(c);
                continue;
            }
            var directive = new Directive(scanner);
            named |= directive.name != null;
            output.append(directive.text());
        }
        if (used < values.size() && !named && !(operand instanceof Dict) && !(operand instanceof List<?>)) {
            throw new TemplateError("not all arguments converted during string formatting");
        }
        return output.toString();
    }

    private Object nextValue() {
        if (used >= values.size()) {
            throw new TemplateError("not enough arguments for format string");
        }
        return values.get(used++);
    }

    private static final class Scanner {
        private final String format;
        private int position;

        Scanner(String format) {
            this.format = format;
        }

        boolean atEnd() {
            return position >= format.length();
        }

        char peek() {
            if (atEnd()) {
                throw new TemplateError("incomplete format");
            }
            return format.charAt(position);
        }

        char next() {
            char c = peek();
            position++;
            return c;
        }
    }

    /** One {@code %[(name)][flags][width][.precision]type}. */
    private final class Directive {
        private @Nullable String name;
        private String flags = "";
        private int width;
        private int precision = -1;
        private final char type;

        Directive(Scanner scanner) {
            if (scanner.peek() == '(') {
                name = name(scanner);
            }
            while ("-+ #0".indexOf(scanner.peek()) >= 0) {
                flags += scanner.next();
            }
            width = number(scanner, 0);
            if (width < 0) {
                flags += "-";
                width = -width;
            }
            if (scanner.peek() == '.') {
                scanner.next();
                precision = Math.max(0, number(scanner, 0));
            }
            while ("hlL".indexOf(scanner.peek()) >= 0) {
                scanner.next();
            }
            type = scanner.next();
        }

        private String name(Scanner scanner) {
            scanner.next();
            var text = new StringBuilder();
            int depth = 1;
            while (true) {
                char c = scanner.next();
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (depth == 0) {
                    return text.toString();
                }
                text.append(c);
            }
        }

        private int number(Scanner scanner, int fallback) {
            if (scanner.peek() == '*') {
                scanner.next();
                return Numbers.clamped(nextValue(), budget);
            }
            long number = -1;
            while (Character.digit(scanner.peek(), 10) >= 0) {
                number = Math.max(0, number) * 10 + Character.digit(scanner.next(), 10);
                budget.text(number);
            }
            return number < 0 ? fallback : (int) number;
        }

        private Object value() {
            if (name == null) {
                return nextValue();
            }
            if (!(mapping instanceof Dict dict)) {
                throw new TemplateError("format requires a mapping");
            }
            Object value = dict.get(name);
            if (value == null) {
                throw new TemplateError("'" + name + "'");
            }
            return value;
        }

        String text() {
            switch (type) {
                case '%':
                    return "%";
                case 's':
                    return padded(cut(Representation.str(value(), budget)));
                case 'r', 'a':
                    return padded(cut(Representation.repr(value(), budget)));
                case 'c':
                    return padded(character(value()));
                case 'd', 'i', 'u':
                    return number(integer(value()), 10, "");
                case 'x':
                    return number(exactInteger(value()), 16, "0x");
                case 'X':
                    return Text.upper(number(exactInteger(value()), 16, "0x"));
                case 'o':
                    return number(exactInteger(value()), 8, "0o");
                case 'f', 'F', 'e', 'E', 'g', 'G':
                    double real = Numbers.real(value(), budget);
                    String digits = FloatFormat.digits(real, type, precision < 0 ? 6 : precision, has('#'));
                    return signed(Math.copySign(1, real) < 0 && !Double.isNaN(real), "", digits);
                default:
                    throw new TemplateError("unsupported format character '" + type + "'");
            }
        }

        private boolean has(char flag) {
            return flags.indexOf(flag) >= 0;
        }

        private String cut(String text) {
            return precision < 0 || Text.length(text) <= precision ? text : Text.slice(text, 0, precision);
        }

        private String padded(String text) {
            return Text.pad(text, width, " ", has('-') ? '<' : '>', budget);
        }

        private String character(Object value) {
            if (Numbers.isInteger(value)) {
                int c = Numbers.clamped(value, budget);
                if (!Character.isValidCodePoint(c)) {
                    throw new TemplateError("%c arg not in range(0x110000)");
                }
                return Character.toString(c);
            }
            if (!Values.isString(value) || Text.length(Values.text(value)) != 1) {
                throw new TemplateError("%c requires int or char");
            }
            return Values.text(value);
        }

        private BigInteger integer(Object value) {
            if (value instanceof Double number) {
                if (!Double.isFinite(number)) {
                    throw new TemplateError("cannot convert float " + Numbers.repr(number) + " to integer");
                }
                return new BigDecimal(number).toBigInteger();
            }
            return exactInteger(value);
        }

        private BigInteger exactInteger(Object value) {
            if (!Numbers.isInteger(value)) {
                throw new TemplateError("%" + type + " format: a real number is required, not " + Values.type(value));
            }
            return Numbers.big(value, budget);
        }

        private String number(BigInteger number, int radix, String prefix) {
            String digits = Text.pad(number.abs().toString(radix), precision, "0", '>', budget);
            return signed(number.signum() < 0, has('#') ? prefix : "", digits);
        }

        private String signed(boolean negative, String prefix, String digits) {
            String sign = (negative ? "-" : has('+') ? "+" : has(' ') ? " " : "") + prefix;
            return has('0') && !has('-')
                    ? sign + Text.pad(digits, width - sign.length(), "0", '>', budget)
                    : padded(sign + digits);
        }
    }
}
