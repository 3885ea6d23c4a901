package uzu.grammar;

import org.jspecify.annotations.Nullable;

/**
 * A text that an automaton over code points follows: a whole one in UTF-8, or what a JSON string holds up to its
 * closing quote, where escapes count as what they stand for. Between {@code min} and {@code max} characters more are to
 * come.
 */
final class TextFrame extends Frame {
    private static final int FIRST_PRINTABLE = 0x20;
    private static final int LAST_PRINTABLE = 0x7E;

    private static final int PLAIN = 0;
    /** Bytes still to come of a character of two, three and four bytes. */
    private static final int TWO_1 = 1;

    private static final int THREE_2 = 2;
    private static final int THREE_1 = 3;
    private static final int FOUR_3 = 4;
    private static final int FOUR_2 = 5;
    private static final int FOUR_1 = 6;
    private static final int ESCAPE = 7;
    /** Behind backslash and u; each digit makes it one more. */
    private static final int HEX = 8;

    private static final int HIGH = 12;
    private static final int HIGH_ESCAPE = 13;
    private static final int LOW_HEX = 14;

    private final Chars chars;
    private final Chars.Writing writing;
    private final int state;
    private final int min;
    private final int max;
    private final int phase;
    /** What is known of the character that isn't whole yet. */
    private final int value;

    private TextFrame(Chars chars, Chars.Writing writing, int state, int min, int max, int phase, int value) {
        this.chars = chars;
        this.writing = writing;
        this.state = state;
        this.min = min;
        this.max = max;
        this.phase = phase;
        this.value = value;
    }

    /** Null if there is no such text. */
    static @Nullable TextFrame of(Chars chars, Chars.Writing writing, int min, int max) {
        int start = chars.start();
        if (start < 0 || min > max || chars.distance(start, min, max, writing) >= Cost.NEVER) {
            return null;
        }
        return new TextFrame(chars, writing, start, min, max, PLAIN, 0);
    }

    @Override
    boolean mayEnd() {
        return writing == Chars.Writing.PLAIN && isWhole();
    }

    private boolean isWhole() {
        return phase == PLAIN && min == 0 && chars.accepts(state);
    }

    /** Whether the same tokens may follow whatever the counts are, but for those that are too long or too short. */
    boolean isUniform() {
        return chars.isUniform();
    }

    int min() {
        return min;
    }

    int max() {
        return max;
    }

    /** Whether a character is begun. */
    boolean isAmid() {
        return phase != PLAIN;
    }

    /** The names that it follows, with any other text besides; null for another text. */
    @Nullable NameChars openNames() {
        return chars instanceof NameChars names && names.hasOthers() && phase == PLAIN ? names : null;
    }

    /** Whether it follows names. */
    boolean isName() {
        return chars instanceof NameChars;
    }

    int state() {
        return state;
    }

    /** The same place without counts. */
    TextFrame uncounted() {
        return min == 0 && max == Chars.UNBOUNDED
                ? this
                : new TextFrame(chars, writing, state, 0, Chars.UNBOUNDED, phase, value);
    }

    @Override
    void step(int b, Stack below, Threads out) {
        switch (phase) {
            case PLAIN -> plain(b, below, out);
            case TWO_1, THREE_1, FOUR_1 -> {
                if ((b & 0xC0) == 0x80) {
                    whole(value << 6 | b & 0x3F, below, out);
                }
            }
            case THREE_2, FOUR_3, FOUR_2 -> {
                if ((b & 0xC0) == 0x80) {
                    partial(phase + 1, value << 6 | b & 0x3F, below, out);
                }
            }
            case ESCAPE -> escape(b, below, out);
            case HIGH -> {
                if (b == '\\') {
                    out.add(at(HIGH_ESCAPE, value), below);
                }
            }
            case HIGH_ESCAPE -> {
                if (b == 'u') {
                    out.add(at(LOW_HEX, value << 16), below);
                }
            }
            default -> hex(b, below, out);
        }
    }

    private void plain(int b, Stack below, Threads out) {
        if (writing == Chars.Writing.JSON) {
            if (b == '"') {
                if (isWhole()) {
                    out.end(chars.label(state), below);
                }
                return;
            }
            if (b < 0x20) {
                return;
            }
            if (b == '\\') {
                TextFrame escaped = at(ESCAPE, 0);
                if (max > 0 && escaped.bytesLeft() < Cost.NEVER) {
                    out.add(escaped, below);
                }
                return;
            }
        }
        if (b < 0x80) {
            whole(b, below, out);
        } else if (b >= 0xC2 && b < 0xE0) {
            partial(TWO_1, b & 0x1F, below, out);
        } else if (b >= 0xE0 && b < 0xF0) {
            partial(THREE_2, b & 0xF, below, out);
        } else if (b >= 0xF0 && b < 0xF5) {
            partial(FOUR_3, b & 7, below, out);
        }
    }

    private void whole(int codePoint, Stack below, Threads out) {
        if (max == 0) {
            return;
        }
        int next = chars.next(state, codePoint);
        if (next < 0) {
            return;
        }
        Chars then = chars.onward(next);
        if (then != chars) {
            out.add(new TextFrame(then, writing, then.start(), min, max, PLAIN, 0), below);
            return;
        }
        if (min == 0 && max == Chars.UNBOUNDED) {
            out.add(
                    next == state && phase == PLAIN ? this : new TextFrame(chars, writing, next, min, max, PLAIN, 0),
                    below);
            return;
        }
        int less = fewer(min);
        int most = max == Chars.UNBOUNDED ? max : max - 1;
        if (chars.isUniform() || chars.distance(next, less, most, writing) < Cost.NEVER) {
            out.add(new TextFrame(chars, writing, next, less, most, PLAIN, 0), below);
        }
    }

    private static int fewer(int count) {
        return Math.max(0, count - 1);
    }

    private void partial(int then, int bits, Stack below, Threads out) {
        int first = first(then, bits);
        int last = last(then, bits);
        if (max > 0 && first <= last && reaches(first, last)) {
            out.add(at(then, bits), below);
        }
    }

    /** The range of the characters that begin so. */
    private static int first(int phase, int bits) {
        int shortest = phase == TWO_1 ? 0x80 : phase <= THREE_1 ? 0x800 : 0x10000;
        return Math.max(shortest, bits << 6 * pending(phase));
    }

    private static int last(int phase, int bits) {
        int last = (bits + 1 << 6 * pending(phase)) - 1;
        return Math.min(last, CodePoints.LAST);
    }

    private static int pending(int phase) {
        return switch (phase) {
            case TWO_1, THREE_1, FOUR_1 -> 1;
            case THREE_2, FOUR_2 -> 2;
            default -> 3;
        };
    }

    private void escape(int b, Stack below, Threads out) {
        switch (b) {
            case '"', '\\', '/' -> whole(b, below, out);
            case 'b' -> whole('\b', below, out);
            case 'f' -> whole('\f', below, out);
            case 'n' -> whole('\n', below, out);
            case 'r' -> whole('\r', below, out);
            case 't' -> whole('\t', below, out);
            case 'u' -> {
                if (hexDistance(HEX, 0) < Cost.NEVER) {
                    out.add(at(HEX, 0), below);
                }
            }
            default -> {}
        }
    }

    private void hex(int b, Stack below, Threads out) {
        int digit = Character.digit(b, 16);
        if (digit < 0) {
            return;
        }
        if (phase < HIGH) {
            int bits = value << 4 | digit;
            if (phase < HIGH - 1) {
                if (hexDistance(phase + 1, bits) < Cost.NEVER) {
                    out.add(at(phase + 1, bits), below);
                }
            } else if (Character.isHighSurrogate((char) bits)) {
                if (reaches(pairs(bits), pairs(bits) + 0x3FF)) {
                    out.add(at(HIGH, bits), below);
                }
            } else if (!Character.isLowSurrogate((char) bits) && !isPrintable(bits)) {
                whole(bits, below, out);
            }
            return;
        }
        int known = (value & 0xFFFF) << 4 | digit;
        if (phase < LOW_HEX + 3) {
            int bits = value & 0xFFFF0000 | known;
            if (lowDistance(phase + 1, bits) < Cost.NEVER) {
                out.add(at(phase + 1, bits), below);
            }
        } else if (Character.isLowSurrogate((char) known)) {
            whole(Character.toCodePoint((char) (value >>> 16), (char) known), below, out);
        }
    }

    /** What has no need of its number; a model could spell whole texts so. */
    private static boolean isPrintable(int codePoint) {
        return codePoint >= FIRST_PRINTABLE && codePoint <= LAST_PRINTABLE;
    }

    /** The first code point whose high surrogate is this. */
    private static int pairs(int highSurrogate) {
        return 0x10000 + (highSurrogate - 0xD800 << 10);
    }

    private boolean reaches(int first, int last) {
        return after(first, last) < Cost.NEVER;
    }

    /** Bytes to the end behind a character of the range. */
    private int after(int first, int last) {
        int most = max == Chars.UNBOUNDED ? max : max - 1;
        return chars.distanceAfter(state, first, last, fewer(min), most, writing);
    }

    /** Bytes to the end from behind so many hex digits. */
    private int hexDistance(int at, int bits) {
        int digits = HIGH - at;
        int first = bits << 4 * digits;
        int last = (bits + 1 << 4 * digits) - 1;
        int least = Cost.NEVER;
        if (first < FIRST_PRINTABLE) {
            least = Cost.sum(digits, after(first, Math.min(last, FIRST_PRINTABLE - 1)));
        }
        int above = Math.max(first, LAST_PRINTABLE + 1);
        if (above <= Math.min(last, Character.MIN_SURROGATE - 1)) {
            int end = Math.min(last, Character.MIN_SURROGATE - 1);
            least = Math.min(least, Cost.sum(digits, after(above, end)));
        }
        // Half a pair is no character.
        if (last > Character.MAX_SURROGATE) {
            int from = Math.max(first, Character.MAX_SURROGATE + 1);
            least = Math.min(least, Cost.sum(digits, after(from, last)));
        }
        int high = Math.max(first, Character.MIN_HIGH_SURROGATE);
        int highest = Math.min(last, Character.MAX_HIGH_SURROGATE);
        if (high <= highest) {
            least = Math.min(least, Cost.sum(digits + 6, after(pairs(high), pairs(highest) + 0x3FF)));
        }
        return least;
    }

    private int lowDistance(int at, int bits) {
        int digits = LOW_HEX + 4 - at;
        int known = bits & 0xFFFF;
        int first = Math.max(0xDC00, known << 4 * digits);
        int last = Math.min(0xDFFF, (known + 1 << 4 * digits) - 1);
        if (first > last) {
            return Cost.NEVER;
        }
        int base = pairs(bits >>> 16);
        return Cost.sum(digits, after(base + first - 0xDC00, base + last - 0xDC00));
    }

    private TextFrame at(int then, int bits) {
        return new TextFrame(chars, writing, state, min, max, then, bits);
    }

    @Override
    int cost(Stack below) {
        if (writing == Chars.Writing.JSON
                && !below.isEnd()
                && below.frame() instanceof ObjectFrame object
                && object.awaitsKey()) {
            return object.costFromKey(this, below.below());
        }
        return Cost.sum(bytesLeft(), below.cost());
    }

    Chars chars() {
        return chars;
    }

    /** The least that a character that is begun in UTF-8 may become. */
    int firstBegun() {
        return phase != PLAIN && phase < ESCAPE ? first(phase, value) : 0;
    }

    /**
     * The greatest; less than {@link #firstBegun} where it is begun as an escape, by one where only by its backslash.
     */
    int lastBegun() {
        return phase != PLAIN && phase < ESCAPE ? last(phase, value) : phase == ESCAPE ? -1 : -2;
    }

    /** Bytes up to the quote that ends it, that included, where another automaton of the same states says what ends. */
    int bytesLeft(Chars to) {
        return new TextFrame(to, writing, state, min, max, phase, value).bytesLeft();
    }

    /** Bytes of the rest of a character, 0 between two. */
    int ending() {
        return switch (phase) {
            case PLAIN -> 0;
            // of u and its digits, after which a second half may be due
            case ESCAPE -> 11;
            case HIGH -> 6;
            case HIGH_ESCAPE -> 5;
            default -> phase < ESCAPE ? pending(phase) : phase < HIGH ? HIGH - phase + 6 : LOW_HEX + 4 - phase;
        };
    }

    private int bytesLeft() {
        int rest = switch (phase) {
            case PLAIN -> chars.distance(state, min, max, writing);
            case ESCAPE -> Math.min(escapeDistance(), Cost.sum(1, hexDistance(HEX, 0)));
            case HIGH -> Cost.sum(6, after(pairs(value), pairs(value) + 0x3FF));
            case HIGH_ESCAPE -> Cost.sum(5, after(pairs(value), pairs(value) + 0x3FF));
            default ->
                phase < ESCAPE
                        ? Cost.sum(pending(phase), after(first(phase, value), last(phase, value)))
                        : phase < HIGH ? hexDistance(phase, value) : lowDistance(phase, value);
        };
        return Cost.sum(rest, writing == Chars.Writing.JSON ? 1 : 0);
    }

    private int escapeDistance() {
        int least = Cost.NEVER;
        for (int c : new int[] {'"', '\\', '/', '\b', '\f', '\n', '\r', '\t'}) {
            least = Math.min(least, Cost.sum(1, after(c, c)));
        }
        return least;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TextFrame text
                && chars.equals(text.chars)
                && writing == text.writing
                && state == text.state
                && min == text.min
                && max == text.max
                && phase == text.phase
                && value == text.value;
    }

    @Override
    public int hashCode() {
        return ((((chars.hashCode() * 31 + state) * 31 + min) * 31 + max) * 31 + phase) * 31 + value;
    }
}
