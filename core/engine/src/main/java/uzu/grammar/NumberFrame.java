package uzu.grammar;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** A number behind its first byte. What is a whole number so far may end, though it may also go on. */
final class NumberFrame extends Frame {
    private enum Place {
        MINUS,
        WHOLE,
        POINT,
        FRACTION,
        EXPONENT,
        EXPONENT_SIGN,
        EXPONENT_DIGITS
    }

    private static final int MOST_EXPONENT = 99;
    /** Of one digit before the point: more may be beyond a double. */
    private static final int LARGEST_EXPONENT = 307;

    private final NumberSpec spec;
    private final Place place;
    private final boolean negative;
    /** All digits before the exponent, as far as their values matter: 1 for any, if the spec is free. */
    private final BigInteger digits;

    private final int wholeDigits;
    private final int fractionDigits;
    /** Its digits behind a 1. */
    private final int exponent;

    private int ending = -1;

    private NumberFrame(
            NumberSpec spec,
            Place place,
            boolean negative,
            BigInteger digits,
            int wholeDigits,
            int fractionDigits,
            int exponent) {
        this.spec = spec;
        this.place = place;
        this.negative = negative;
        this.digits = digits;
        this.wholeDigits = wholeDigits;
        this.fractionDigits = fractionDigits;
        this.exponent = exponent;
    }

    static void begin(NumberSpec spec, int b, Stack below, Threads out) {
        NumberFrame begun = first(spec, b);
        if (begun != null) {
            out.add(begun, below);
        }
    }

    private static @Nullable NumberFrame first(NumberSpec spec, int b) {
        NumberFrame begun = b == '-'
                ? new NumberFrame(spec, Place.MINUS, true, BigInteger.ZERO, 0, 0, 0)
                : new NumberFrame(spec, Place.MINUS, false, BigInteger.ZERO, 0, 0, 0).next(b);
        return begun == null || !begun.isAlive() ? null : begun;
    }

    /** Bytes of the shortest number. */
    static int costOf(NumberSpec spec) {
        if (spec.isFree()) {
            return 1;
        }
        int least = Cost.NEVER;
        for (int b : new int[] {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-'}) {
            NumberFrame begun = first(spec, b);
            if (begun != null) {
                least = Math.min(least, Cost.sum(1, begun.ending()));
            }
        }
        return least;
    }

    @Override
    void step(int b, Stack below, Threads out) {
        NumberFrame next = next(b);
        if (next != null && next.isAlive()) {
            out.add(next, below);
        }
    }

    private boolean isAlive() {
        return spec.isFree() || ending() < Cost.NEVER;
    }

    private @Nullable NumberFrame next(int b) {
        boolean digit = b >= '0' && b <= '9';
        return switch (place) {
            case MINUS -> digit ? with(Place.WHOLE, b - '0', 1, 0) : null;
            case WHOLE -> {
                if (digit) {
                    boolean zero = wholeDigits == 1 && digits.signum() == 0;
                    yield zero || wholeDigits >= spec.wholeDigits()
                            ? null
                            : with(Place.WHOLE, b - '0', wholeDigits + 1, 0);
                }
                yield b == '.' ? at(Place.POINT, 0) : exponent(b);
            }
            case POINT -> digit && (b == '0' || !spec.isWhole()) ? with(Place.FRACTION, b - '0', wholeDigits, 1) : null;
            case FRACTION -> {
                if (digit) {
                    yield fractionDigits >= spec.fractionDigits() || (b != '0' && spec.isWhole())
                            ? null
                            : with(Place.FRACTION, b - '0', wholeDigits, fractionDigits + 1);
                }
                yield exponent(b);
            }
            case EXPONENT ->
                b == '+' || b == '-'
                        ? at(Place.EXPONENT_SIGN, 0)
                        : digit ? at(Place.EXPONENT_DIGITS, 10 + b - '0') : null;
            case EXPONENT_SIGN -> digit ? at(Place.EXPONENT_DIGITS, 10 + b - '0') : null;
            case EXPONENT_DIGITS -> {
                int longer = 10 * exponent + b - '0';
                boolean three = longer >= 1000;
                int most = wholeDigits == 1 ? LARGEST_EXPONENT : MOST_EXPONENT;
                yield digit && longer < 10_000 && longer - (three ? 1000 : 100) <= most
                        ? at(Place.EXPONENT_DIGITS, longer)
                        : null;
            }
        };
    }

    private @Nullable NumberFrame exponent(int b) {
        return spec.isFree() && !spec.isWhole() && (b == 'e' || b == 'E') ? at(Place.EXPONENT, 0) : null;
    }

    private NumberFrame with(Place then, int digit, int whole, int fraction) {
        BigInteger longer;
        if (spec.isFree()) {
            // Only whether it is a lone zero matters.
            longer = whole > 1 || digit > 0 || digits.signum() > 0 ? BigInteger.ONE : BigInteger.ZERO;
        } else {
            longer = digits.multiply(BigInteger.TEN).add(BigInteger.valueOf(digit));
        }
        return new NumberFrame(spec, then, negative, longer, whole, fraction, 0);
    }

    private NumberFrame at(Place then, int with) {
        return new NumberFrame(spec, then, negative, digits, wholeDigits, fractionDigits, with);
    }

    @Override
    long place() {
        return mayEnd() ? (5L * 64 + wholeDigits) * 64 + fractionDigits : -1;
    }

    @Override
    boolean mayEnd() {
        return switch (place) {
            case WHOLE, FRACTION -> spec.isFree() || spec.allows(value());
            case EXPONENT_DIGITS -> true;
            default -> false;
        };
    }

    private BigDecimal value() {
        return new BigDecimal(negative ? digits.negate() : digits, fractionDigits);
    }

    @Override
    int cost(Stack below) {
        return Cost.sum(ending(), below.cost());
    }

    /** Bytes of the shortest way to end it. */
    private int ending() {
        if (ending < 0) {
            ending = mayEnd() ? 0 : spec.isFree() ? 1 : shortest();
        }
        return ending;
    }

    private int shortest() {
        if (place == Place.MINUS) {
            int least = Cost.NEVER;
            for (int digit = '0'; digit <= '9'; digit++) {
                NumberFrame next = next(digit);
                least = next == null ? least : Math.min(least, Cost.sum(1, next.ending()));
            }
            return least;
        }
        int least = fraction();
        boolean zero = digits.signum() == 0;
        int more = place == Place.WHOLE && !zero ? spec.wholeDigits() - wholeDigits : 0;
        BigInteger first = digits;
        BigInteger end = digits.add(BigInteger.ONE);
        for (int k = 1; k <= more && k < least; k++) {
            first = first.multiply(BigInteger.TEN);
            end = end.multiply(BigInteger.TEN);
            least = Math.min(least, Cost.sum(k, within(new BigDecimal(first), new BigDecimal(end))));
        }
        return least;
    }

    /** Digits of the point and a fraction that make it valid, with whole digits from one number to below another. */
    private int within(BigDecimal first, BigDecimal end) {
        for (int scale = 0; scale <= spec.fractionDigits(); scale++) {
            if (has(first, end, scale)) {
                return scale == 0 ? 0 : 1 + scale;
            }
            if (scale == 0 && !has(first, end, spec.fractionDigits())) {
                break;
            }
        }
        return Cost.NEVER;
    }

    /** Bytes of a fraction that ends it. */
    private int fraction() {
        BigDecimal value = new BigDecimal(digits, fractionDigits);
        BigDecimal end = new BigDecimal(digits.add(BigInteger.ONE), fractionDigits);
        if (!has(value, end, spec.fractionDigits())) {
            return Cost.NEVER;
        }
        for (int scale = Math.max(1, fractionDigits); ; scale++) {
            if (has(value, end, scale)) {
                // A fraction that is there ends as it is or goes on; a point wants a digit.
                int more = scale - fractionDigits;
                return place == Place.WHOLE ? 1 + more : Math.max(more, place == Place.POINT ? 1 : 0);
            }
        }
    }

    private boolean has(BigDecimal first, BigDecimal end, int scale) {
        if (!negative) {
            return spec.hasWithin(first, end, scale);
        }
        // The bounds change places, and which of them is included: shift by less than any number may have.
        BigDecimal least = BigDecimal.ONE.movePointLeft(Math.max(scale, spec.fractionDigits()) + 1);
        return spec.hasWithin(end.negate().add(least), first.negate().add(least), scale);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NumberFrame number
                && spec.equals(number.spec)
                && place == number.place
                && negative == number.negative
                && wholeDigits == number.wholeDigits
                && fractionDigits == number.fractionDigits
                && exponent == number.exponent
                && digits.equals(number.digits);
    }

    @Override
    public int hashCode() {
        int hash = (spec.hashCode() * 31 + place.ordinal()) * 31 + digits.hashCode();
        return ((hash * 31 + wholeDigits) * 31 + fractionDigits) * 31 + exponent + (negative ? 7 : 0);
    }
}
