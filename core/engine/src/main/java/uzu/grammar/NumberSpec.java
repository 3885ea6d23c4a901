package uzu.grammar;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some numbers: those between two bounds, of one of some values, that are multiples of one number and not of others.
 *
 * @param low null: no bound
 * @param aboveLow whether {@code low} itself is left out
 * @param step what a number is a multiple of; null: any number
 * @param only the values there are; null: any
 * @param notSteps what a number isn't a multiple of
 * @param not values left out
 */
record NumberSpec(
        @Nullable BigDecimal low,
        boolean aboveLow,
        @Nullable BigDecimal high,
        boolean belowHigh,
        @Nullable BigDecimal step,
        @Nullable Set<BigDecimal> only,
        List<BigDecimal> notSteps,
        Set<BigDecimal> not) {
    static final NumberSpec ANY = new NumberSpec(null, false, null, false, null, null, List.of(), Set.of());

    /** A model could write digits forever; these many hold every long and every double. */
    private static final int MOST_WHOLE_DIGITS = 18;

    private static final int MOST_FRACTION_DIGITS = 17;

    private static final int MOST_DIGITS = 100;

    /** Tries to find a value between those that are left out. */
    private static final int MOST_TRIES = 100;

    static final NumberSpec WHOLE = new NumberSpec(null, false, null, false, BigDecimal.ONE, null, List.of(), Set.of());

    /** Whether digits may be any: all numbers, or all whole ones. */
    boolean isFree() {
        return low == null
                && high == null
                && only == null
                && (step == null || step.compareTo(BigDecimal.ONE) == 0)
                && notSteps.isEmpty()
                && not.isEmpty();
    }

    /** Whether every number that can be is whole. */
    boolean isWhole() {
        return step != null && step.stripTrailingZeros().scale() <= 0;
    }

    int wholeDigits() {
        int most = MOST_WHOLE_DIGITS;
        if (low != null) {
            most = Math.max(most, digits(low));
        }
        if (high != null) {
            most = Math.max(most, digits(high));
        }
        if (step != null) {
            most = Math.max(most, digits(step));
        }
        if (only != null) {
            for (BigDecimal value : only) {
                most = Math.max(most, digits(value));
            }
        }
        return most;
    }

    private static int digits(BigDecimal value) {
        return Math.max(1, value.precision() - value.scale());
    }

    int fractionDigits() {
        if (isWhole()) {
            // 1.0 is whole too.
            return 2;
        }
        int most = MOST_FRACTION_DIGITS;
        if (low != null) {
            most = Math.max(most, low.scale() + 2);
        }
        if (high != null) {
            most = Math.max(most, high.scale() + 2);
        }
        if (step != null) {
            most = Math.max(most, step.scale());
        }
        if (only != null) {
            most = 1;
            for (BigDecimal value : only) {
                most = Math.max(most, value.scale() + 1);
            }
        }
        return most;
    }

    /** All values, if there are at most so many; else null. */
    @Nullable Set<BigDecimal> values(int most) {
        Set<BigDecimal> values = new LinkedHashSet<>();
        if (only != null) {
            only.stream().filter(this::allows).forEach(value -> values.add(canonical(value)));
            return values;
        }
        if (!isWhole() || low == null || high == null || high.subtract(low).compareTo(BigDecimal.valueOf(1000)) > 0) {
            return null;
        }
        for (BigDecimal value = low.setScale(0, RoundingMode.CEILING);
                value.compareTo(high) <= 0;
                value = value.add(BigDecimal.ONE)) {
            if (allows(value)) {
                values.add(canonical(value));
            }
        }
        return values.size() <= most ? values : null;
    }

    boolean allows(BigDecimal value) {
        return isWithin(value)
                && (step == null || isMultiple(value, step))
                && (only == null || contains(only, value))
                && !contains(not, value)
                && notSteps.stream().noneMatch(each -> isMultiple(value, each));
    }

    private boolean isWithin(BigDecimal value) {
        int toLow = low == null ? 1 : value.compareTo(low);
        int toHigh = high == null ? -1 : value.compareTo(high);
        return (aboveLow ? toLow > 0 : toLow >= 0) && (belowHigh ? toHigh < 0 : toHigh <= 0);
    }

    private static boolean contains(Set<BigDecimal> set, BigDecimal value) {
        return !set.isEmpty() && set.contains(canonical(value));
    }

    static boolean isMultiple(BigDecimal value, BigDecimal of) {
        return value.remainder(of).signum() == 0;
    }

    /** Bounds and values with more digits would have every number of so many looked at. */
    static BigDecimal checked(BigDecimal value) {
        if ((long) value.precision() - value.scale() > MOST_DIGITS || value.scale() > MOST_DIGITS) {
            throw new Unsupported("a number of more than " + MOST_DIGITS + " digits is meant");
        }
        return value;
    }

    /** One spelling for equal numbers, as in {@link #only} and {@link #not}. */
    static BigDecimal canonical(BigDecimal value) {
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    /** Whether there is a number from {@code first} to below {@code end} with so many digits behind the point. */
    boolean hasWithin(BigDecimal first, BigDecimal end, int scale) {
        if (only != null) {
            for (BigDecimal value : only) {
                if (value.compareTo(first) >= 0
                        && value.compareTo(end) < 0
                        && value.scale() <= scale
                        && allows(value)) {
                    return true;
                }
            }
            return false;
        }
        BigDecimal least = low == null ? first : first.max(low);
        BigDecimal unit = BigDecimal.ONE.movePointLeft(scale);
        BigDecimal each = step == null ? unit : common(step, unit);
        BigDecimal value = least.divide(each, 0, RoundingMode.CEILING).multiply(each);
        for (int tries = 0; tries < MOST_TRIES && value.compareTo(end) < 0; tries++) {
            if (allows(value)) {
                return true;
            }
            if (high != null && value.compareTo(high) > 0) {
                return false;
            }
            value = value.add(each);
        }
        return false;
    }

    /** The least common multiple. */
    static BigDecimal common(BigDecimal one, BigDecimal other) {
        int scale = Math.max(0, Math.max(one.scale(), other.scale()));
        BigInteger a = one.setScale(scale).unscaledValue().abs();
        BigInteger b = other.setScale(scale).unscaledValue().abs();
        return new BigDecimal(a.divide(a.gcd(b)).multiply(b), scale);
    }

    boolean isPossible() {
        return only != null ? only.stream().anyMatch(this::allows) : cost() < Cost.NEVER;
    }

    int cost() {
        return NumberFrame.costOf(this);
    }

    void step(int b, Stack below, Threads out) {
        NumberFrame.begin(this, b, below, out);
    }

    NumberSpec and(NumberSpec other) {
        int lows = low == null ? -1 : other.low == null ? 1 : low.compareTo(other.low);
        int highs = high == null ? 1 : other.high == null ? -1 : high.compareTo(other.high);
        Set<BigDecimal> fewer = only == null ? other.only : only;
        if (only != null && other.only != null) {
            fewer = new LinkedHashSet<>(only);
            fewer.retainAll(other.only);
        }
        List<BigDecimal> noSteps = new ArrayList<>(notSteps);
        noSteps.addAll(other.notSteps);
        Set<BigDecimal> out = new LinkedHashSet<>(not);
        out.addAll(other.not);
        return new NumberSpec(
                lows >= 0 ? low : other.low,
                lows == 0 ? aboveLow || other.aboveLow : lows > 0 ? aboveLow : other.aboveLow,
                highs <= 0 ? high : other.high,
                highs == 0 ? belowHigh || other.belowHigh : highs < 0 ? belowHigh : other.belowHigh,
                step == null ? other.step : other.step == null ? step : common(step, other.step),
                fewer,
                List.copyOf(new LinkedHashSet<>(noSteps)),
                out);
    }

    /** The numbers that aren't in it. */
    List<NumberSpec> complement() {
        List<NumberSpec> parts = new ArrayList<>();
        if (low != null) {
            parts.add(ANY.withHigh(low, !aboveLow));
        }
        if (high != null) {
            parts.add(ANY.withLow(high, !belowHigh));
        }
        if (step != null) {
            parts.add(new NumberSpec(null, false, null, false, null, null, List.of(step), Set.of()));
        }
        if (only != null) {
            parts.add(new NumberSpec(null, false, null, false, null, null, List.of(), only));
        }
        for (BigDecimal each : notSteps) {
            parts.add(ANY.withStep(each));
        }
        if (!not.isEmpty()) {
            parts.add(ANY.withOnly(not));
        }
        return parts;
    }

    NumberSpec withLow(BigDecimal bound, boolean above) {
        return new NumberSpec(bound, above, high, belowHigh, step, only, notSteps, not);
    }

    NumberSpec withHigh(BigDecimal bound, boolean below) {
        return new NumberSpec(low, aboveLow, bound, below, step, only, notSteps, not);
    }

    NumberSpec withStep(BigDecimal each) {
        return new NumberSpec(low, aboveLow, high, belowHigh, each, only, notSteps, not);
    }

    NumberSpec withOnly(Set<BigDecimal> values) {
        return new NumberSpec(low, aboveLow, high, belowHigh, step, values, notSteps, not);
    }
}
