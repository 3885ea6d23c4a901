package uzu.chat.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** Integers without bound, floats, and their arithmetic and spelling as in Python. A bool is an integer too. */
final class Numbers {
    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);

    private Numbers() {}

    static boolean isInteger(Object value) {
        return value instanceof Long || value instanceof Boolean || value instanceof BigInteger;
    }

    static boolean isNumber(Object value) {
        return isInteger(value) || value instanceof Double;
    }

    /** A Long where it fits. */
    static Object normal(BigInteger value) {
        boolean fits = value.compareTo(MIN_LONG) >= 0 && value.compareTo(MAX_LONG) <= 0;
        return fits ? (Object) value.longValue() : value;
    }

    static BigInteger big(Object value, Budget budget) {
        return switch (value) {
            case Long number -> BigInteger.valueOf(number);
            case Boolean flag -> flag ? BigInteger.ONE : BigInteger.ZERO;
            case BigInteger number -> number;
            case Undefined undefined -> throw undefined.error(budget);
            default ->
                throw new TemplateError("'" + Values.type(value) + "' object cannot be interpreted as an integer");
        };
    }

    static int clamped(Object value, Budget budget) {
        BigInteger number = big(value, budget);
        return number.bitLength() < 32
                ? number.intValue()
                : number.signum() < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    }

    static double real(Object value, Budget budget) {
        return switch (value) {
            case Double number -> number;
            case Long number -> number;
            case Boolean flag -> flag ? 1 : 0;
            case BigInteger number -> {
                double real = number.doubleValue();
                if (Double.isInfinite(real)) {
                    throw new TemplateError("int too large to convert to float");
                }
                yield real;
            }
            case Undefined undefined -> throw undefined.error(budget);
            default -> throw new TemplateError("must be real number, not " + Values.type(value));
        };
    }

    static Object negate(Object value, Budget budget) {
        return value instanceof Double number
                ? (Object) (-number)
                : normal(big(value, budget).negate());
    }

    static Object arithmetic(String operator, Object a, Object b, Budget budget) {
        if (!isInteger(a) || !isInteger(b)) {
            return reals(operator, real(a, budget), real(b, budget));
        }
        if (a instanceof Long x && b instanceof Long y) {
            long sum = x + y;
            if (operator.equals("+") && ((x ^ sum) & (y ^ sum)) >= 0) {
                return sum;
            }
            long difference = x - y;
            if (operator.equals("-") && ((x ^ y) & (x ^ difference)) >= 0) {
                return difference;
            }
        }
        return integers(operator, big(a, budget), big(b, budget), budget);
    }

    private static Object integers(String operator, BigInteger a, BigInteger b, Budget budget) {
        return switch (operator) {
            case "+" -> bounded(a.add(b), budget);
            case "-" -> bounded(a.subtract(b), budget);
            case "*" -> {
                budget.copy((long) a.bitLength() * b.bitLength() / 64);
                yield bounded(a.multiply(b), budget);
            }
            case "/" -> {
                refuseZero(b.signum() == 0, "division by zero");
                yield new BigDecimal(a)
                        .divide(new BigDecimal(b), new MathContext(40, RoundingMode.HALF_EVEN))
                        .doubleValue();
            }
            case "//" -> {
                refuseZero(b.signum() == 0, "integer division or modulo by zero");
                yield normal(floor(a, b));
            }
            case "%" -> {
                refuseZero(b.signum() == 0, "integer modulo by zero");
                yield normal(a.subtract(floor(a, b).multiply(b)));
            }
            default -> power(a, b, budget);
        };
    }

    private static Object power(BigInteger a, BigInteger b, Budget budget) {
        if (b.signum() < 0) {
            refuseZero(a.signum() == 0, "0.0 cannot be raised to a negative power");
            return Math.pow(a.doubleValue(), b.doubleValue());
        }
        if (a.bitLength() <= 1 && a.abs().compareTo(BigInteger.ONE) <= 0) {
            return normal(a.pow(b.signum() == 0 ? 0 : b.testBit(0) ? 1 : 2));
        }
        int bound = budget.limits().integerBits();
        if (b.bitLength() > 31 || (long) (a.bitLength() - 1) * b.intValue() > bound) {
            throw TemplateError.limit("integer bits", bound);
        }
        budget.copy((long) a.bitLength() * b.intValue());
        return bounded(a.pow(b.intValue()), budget);
    }

    private static Object bounded(BigInteger value, Budget budget) {
        int bound = budget.limits().integerBits();
        if (value.bitLength() > bound) {
            throw TemplateError.limit("integer bits", bound);
        }
        return normal(value);
    }

    private static BigInteger floor(BigInteger a, BigInteger b) {
        BigInteger[] parts = a.divideAndRemainder(b);
        boolean below = parts[1].signum() != 0 && parts[1].signum() != b.signum();
        return below ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    private static Object reals(String operator, double a, double b) {
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> {
                refuseZero(b == 0, "float division by zero");
                yield a / b;
            }
            case "//" -> {
                refuseZero(b == 0, "float floor division by zero");
                double quotient = (a - modulo(a, b)) / b;
                double floor = Math.floor(quotient);
                yield quotient - floor > 0.5 ? floor + 1 : floor;
            }
            case "%" -> {
                refuseZero(b == 0, "float modulo");
                yield modulo(a, b);
            }
            default -> power(a, b);
        };
    }

    private static double modulo(double a, double b) {
        double remainder = a % b;
        if (remainder == 0) {
            return Math.copySign(0.0, b);
        }
        return (b < 0) == (remainder < 0) ? remainder : remainder + b;
    }

    private static double power(double a, double b) {
        refuseZero(a == 0 && b < 0, "0.0 cannot be raised to a negative power");
        double power = Math.pow(a, b);
        if (a < 0 && b != Math.rint(b)) {
            throw new TemplateError("complex numbers are not supported");
        }
        if (Double.isInfinite(power) && !Double.isInfinite(a) && !Double.isInfinite(b)) {
            throw new TemplateError("(34, 'Numerical result out of range')");
        }
        return power;
    }

    private static void refuseZero(boolean zero, String message) {
        if (zero) {
            throw new TemplateError(message);
        }
    }

    /** Exact, also where an integer isn't a float. NaN orders as Java has it; ask {@link #same} for equality. */
    static int compare(Object a, Object b, Budget budget) {
        if (a instanceof Long x && b instanceof Long y) {
            return Long.compare(x, y);
        }
        if (isInteger(a) && isInteger(b)) {
            return big(a, budget).compareTo(big(b, budget));
        }
        if (a instanceof Double x && b instanceof Double y) {
            return x.doubleValue() == y ? 0 : Double.compare(x, y);
        }
        double x = a instanceof Double d ? d : 0;
        double y = b instanceof Double d ? d : 0;
        if (!Double.isFinite(x) || !Double.isFinite(y)) {
            return Double.compare(x, y);
        }
        return decimal(a, budget).compareTo(decimal(b, budget));
    }

    private static BigDecimal decimal(Object value, Budget budget) {
        return value instanceof Double d ? new BigDecimal(d) : new BigDecimal(big(value, budget));
    }

    static boolean isNan(Object value) {
        return value instanceof Double number && number.isNaN();
    }

    static boolean same(Object a, Object b, Budget budget) {
        return !isNan(a) && !isNan(b) && compare(a, b, budget) == 0;
    }

    /** The shortest digits that read back as {@code value}; with an exponent below 1e-4 and from 1e16 on. */
    static String repr(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String sign = Math.copySign(1, value) < 0 ? "-" : "";
        double size = Math.abs(value);
        if (size == 0) {
            return sign + "0.0";
        }
        BigDecimal shortest = shortest(size);
        String digits = shortest.unscaledValue().toString();
        int exponent = digits.length() - 1 - shortest.scale();
        if (exponent >= -4 && exponent < 16) {
            String plain = shortest.toPlainString();
            return sign + (plain.indexOf('.') < 0 ? plain + ".0" : plain);
        }
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String power = (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
        return sign + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + power;
    }

    // Double.toString gives the shortest digits but at least two of them: 4.9E-324 for what Python writes as 5e-324.
    private static BigDecimal shortest(double size) {
        var digits = new BigDecimal(Double.toString(size)).stripTrailingZeros();
        if (digits.precision() == 2) {
            BigDecimal one =
                    digits.round(new MathContext(1, RoundingMode.HALF_EVEN)).stripTrailingZeros();
            if (one.doubleValue() == size) {
                return one;
            }
        }
        return digits;
    }
}
