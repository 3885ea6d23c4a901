package uzu.generate;

import java.util.List;

/**
 * Finds stop strings in a text that comes in pieces. The stop whose last character comes first ends the text, of
 * several the longest; so the result doesn't depend on how the text was cut. What may still become a stop is held
 * back.
 */
final class StopStrings {
    private final List<String> stops;
    private final StringBuilder held = new StringBuilder();
    private boolean found;

    StopStrings(List<String> stops) {
        this.stops = stops;
    }

    boolean found() {
        return found;
    }

    /** The text that may be shown now. */
    String next(String piece) {
        if (stops.isEmpty()) {
            return piece;
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < piece.length() && !found; i++) {
            held.append(piece.charAt(i));
            int stop = longestStopAtEnd();
            if (stop > 0) {
                found = true;
                shown.append(held, 0, held.length() - stop);
                held.setLength(0);
            } else {
                int keep = longestStartAtEnd();
                shown.append(held, 0, held.length() - keep);
                held.delete(0, held.length() - keep);
            }
        }
        return shown.toString();
    }

    /** What was held back, as no more text comes. */
    String flush() {
        String rest = held.toString();
        held.setLength(0);
        return rest;
    }

    private int longestStopAtEnd() {
        int longest = 0;
        for (String stop : stops) {
            if (stop.length() > longest && endsWith(stop, stop.length())) {
                longest = stop.length();
            }
        }
        return longest;
    }

    private int longestStartAtEnd() {
        int longest = 0;
        for (String stop : stops) {
            for (int length = Math.min(stop.length() - 1, held.length()); length > longest; length--) {
                if (endsWith(stop, length)) {
                    longest = length;
                }
            }
        }
        return longest;
    }

    private boolean endsWith(String stop, int length) {
        int from = held.length() - length;
        if (from < 0) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (held.charAt(from + i) != stop.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
