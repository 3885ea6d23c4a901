package uzu.chat.parse;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A reply's text that no part has taken yet. */
final class Input {
    enum Match {
        NO,
        YES,
        /** The text so far is a beginning of it, and more may come. */
        MAYBE
    }

    /**
     * Where a marker stands, or may stand.
     *
     * @param at characters before it
     * @param marker null when the text ends before it can be told, or when there is none
     */
    record Found(int at, @Nullable String marker) {}

    private final StringBuilder text = new StringBuilder();
    private int from;
    private boolean ended;

    void add(String more) {
        // Taken characters are dropped when they are most of the buffer: each is moved once on average.
        if (from > text.length() - from) {
            text.delete(0, from);
            from = 0;
        }
        text.append(more);
    }

    void end() {
        ended = true;
    }

    /** Whether no more text comes. */
    boolean isEnded() {
        return ended;
    }

    boolean isEmpty() {
        return from == text.length();
    }

    int length() {
        return text.length() - from;
    }

    char charAt(int index) {
        return text.charAt(from + index);
    }

    String take(int length) {
        String taken = text.substring(from, from + length);
        from += length;
        return taken;
    }

    String takeAll() {
        return take(length());
    }

    char takeOne() {
        return text.charAt(from++);
    }

    void skip(int length) {
        from += length;
    }

    /** White space from {@code at} on. */
    int spaces(int at) {
        int n = at;
        while (n < length() && Character.isWhitespace(charAt(n))) {
            n++;
        }
        return n - at;
    }

    Match match(String literal, int at) {
        int most = Math.min(literal.length(), length() - at);
        for (int i = 0; i < most; i++) {
            if (charAt(at + i) != literal.charAt(i)) {
                return Match.NO;
            }
        }
        return most == literal.length() ? Match.YES : ended ? Match.NO : Match.MAYBE;
    }

    /** The first of {@code markers}, the longest where several start; {@code at} is how much surely precedes it. */
    Found find(Collection<String> markers, int from) {
        for (int at = from; at < length(); at++) {
            String longest = null;
            boolean maybe = false;
            for (String marker : markers) {
                switch (match(marker, at)) {
                    case YES -> longest = longest == null || marker.length() > longest.length() ? marker : longest;
                    case MAYBE -> maybe = true;
                    case NO -> {}
                }
            }
            if (maybe) {
                return new Found(at, null);
            }
            if (longest != null) {
                return new Found(at, longest);
            }
        }
        return new Found(length(), null);
    }
}
