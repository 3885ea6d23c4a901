package uzu.grammar;

import java.util.Arrays;
import java.util.function.IntPredicate;

/** An immutable set of Unicode scalar values (code points without surrogates), as sorted ranges. */
public final class CodePoints {
    static final int LAST = Character.MAX_CODE_POINT;

    /** All of Unicode. */
    public static final CodePoints ANY = new CodePoints(new int[] {0, 0xD7FF, 0xE000, LAST});

    public static final CodePoints NONE = new CodePoints(new int[0]);

    /** First and last of each range, rising, never touching. */
    private final int[] ranges;

    private CodePoints(int[] ranges) {
        this.ranges = ranges;
    }

    public static CodePoints of(int codePoint) {
        return range(codePoint, codePoint);
    }

    /** Both ends included. */
    public static CodePoints range(int first, int last) {
        return new CodePoints(new int[] {first, last}).and(ANY);
    }

    /** Each code point of {@code members}. */
    public static CodePoints of(String members) {
        int[] sorted = members.codePoints().sorted().toArray();
        int[] doubled = new int[2 * sorted.length];
        for (int i = 0; i < sorted.length; i++) {
            doubled[2 * i] = sorted[i];
            doubled[2 * i + 1] = sorted[i];
        }
        return new CodePoints(joined(doubled, doubled.length)).and(ANY);
    }

    /** Those for which {@code holds} is true. */
    static CodePoints where(IntPredicate holds) {
        int[] found = new int[64];
        int n = 0;
        boolean inside = false;
        for (int c = 0; c <= LAST + 1; c++) {
            boolean now = c <= LAST && holds.test(c);
            if (now != inside) {
                found = n == found.length ? Arrays.copyOf(found, 2 * n) : found;
                found[n++] = now ? c : c - 1;
                inside = now;
            }
        }
        return new CodePoints(Arrays.copyOf(found, n)).and(ANY);
    }

    public CodePoints or(CodePoints other) {
        int[] all = new int[ranges.length + other.ranges.length];
        int n = 0;
        int i = 0;
        int j = 0;
        while (i < ranges.length || j < other.ranges.length) {
            boolean mine = j == other.ranges.length || (i < ranges.length && ranges[i] <= other.ranges[j]);
            int[] from = mine ? ranges : other.ranges;
            int at = mine ? i : j;
            all[n++] = from[at];
            all[n++] = from[at + 1];
            i += mine ? 2 : 0;
            j += mine ? 0 : 2;
        }
        return new CodePoints(joined(all, n));
    }

    public CodePoints and(CodePoints other) {
        int[] all = new int[2 * (ranges.length + other.ranges.length)];
        int n = 0;
        int i = 0;
        int j = 0;
        while (i < ranges.length && j < other.ranges.length) {
            int first = Math.max(ranges[i], other.ranges[j]);
            int last = Math.min(ranges[i + 1], other.ranges[j + 1]);
            if (first <= last) {
                all[n++] = first;
                all[n++] = last;
            }
            if (ranges[i + 1] < other.ranges[j + 1]) {
                i += 2;
            } else {
                j += 2;
            }
        }
        return new CodePoints(Arrays.copyOf(all, n));
    }

    /** All others. */
    public CodePoints not() {
        int[] gaps = new int[ranges.length + 2];
        int n = 0;
        int next = 0;
        for (int i = 0; i < ranges.length; i += 2) {
            if (ranges[i] > next) {
                gaps[n++] = next;
                gaps[n++] = ranges[i] - 1;
            }
            next = ranges[i + 1] + 1;
        }
        if (next <= LAST) {
            gaps[n++] = next;
            gaps[n++] = LAST;
        }
        return new CodePoints(Arrays.copyOf(gaps, n)).and(ANY);
    }

    private static int[] joined(int[] sorted, int length) {
        int n = 0;
        for (int i = 0; i < length; i += 2) {
            if (n > 0 && sorted[i] <= sorted[n - 1] + 1) {
                sorted[n - 1] = Math.max(sorted[n - 1], sorted[i + 1]);
            } else {
                sorted[n] = sorted[i];
                sorted[n + 1] = sorted[i + 1];
                n += 2;
            }
        }
        return Arrays.copyOf(sorted, n);
    }

    public boolean contains(int codePoint) {
        int low = 0;
        int high = ranges.length / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (codePoint < ranges[2 * middle]) {
                high = middle - 1;
            } else if (codePoint > ranges[2 * middle + 1]) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return ranges.length == 0;
    }

    /** How many ranges there are. */
    int size() {
        return ranges.length / 2;
    }

    int first(int range) {
        return ranges[2 * range];
    }

    int last(int range) {
        return ranges[2 * range + 1];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CodePoints points && Arrays.equals(ranges, points.ranges);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ranges);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < size(); i++) {
            text.append(String.format("U+%04X-U+%04X ", first(i), last(i)));
        }
        return text.append(']').toString();
    }
}
