package uzu.tokenizer;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts long runs of combining marks into canonical order. Java's normalizer orders marks by insertion, in quadratic
 * time: minutes for a text of nothing but marks. Their classes, which Java does not tell, show in how it orders pairs.
 */
final class MarkRuns {
    private static final int LONG = 64;
    /** Marks of the lowest and of the highest combining class. */
    private static final int LOWEST = 0x334;

    private static final int HIGHEST = 0x345;

    private MarkRuns() {}

    /** A text with the same normal forms. */
    static String ordered(String text) {
        StringBuilder out = new StringBuilder();
        int done = 0;
        for (int i = 0; i < text.length(); ) {
            int end = runEnd(text, i);
            if (end - i > LONG) {
                order(text.substring(i, end), out.append(text, done, i));
                done = end;
            }
            i = end > i ? end : i + 1;
        }
        return done == 0 ? text : out.append(text, done, text.length()).toString();
    }

    private static int runEnd(String text, int from) {
        int i = from;
        while (i < text.length()) {
            int c = text.codePointAt(i);
            switch (Character.getType(c)) {
                case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
                    i += Character.charCount(c);
                default -> {
                    return i;
                }
            }
        }
        return i;
    }

    private static void order(String run, StringBuilder out) {
        int[] marks = run.codePoints()
                .flatMap(c ->
                        Normalizer.normalize(Character.toString(c), Form.NFD).codePoints())
                .toArray();
        Map<Integer, Integer> classes = classes(marks);
        long[] keys = new long[marks.length];
        int from = 0;
        for (int i = 0; i <= marks.length; i++) {
            if (i == marks.length || classes.getOrDefault(marks[i], 0) == 0) {
                Arrays.sort(keys, from, i);
                from = i + 1;
            }
            if (i < marks.length) {
                keys[i] = (long) classes.getOrDefault(marks[i], 0) << 32 | i;
            }
        }
        for (long key : keys) {
            out.appendCodePoint(marks[(int) key]);
        }
    }

    /** Numbers that order like the combining classes; 0 for a mark that no other one passes. */
    private static Map<Integer, Integer> classes(int[] marks) {
        Comparator<Integer> byClass = (a, b) -> swaps(a, b) ? 1 : swaps(b, a) ? -1 : 0;
        List<Integer> movable = Arrays.stream(marks)
                .distinct()
                .filter(mark -> swaps(HIGHEST, mark) || swaps(mark, LOWEST))
                .boxed()
                .sorted(byClass)
                .toList();
        Map<Integer, Integer> classes = new HashMap<>();
        int number = 1;
        for (int i = 0; i < movable.size(); i++) {
            if (i > 0 && byClass.compare(movable.get(i - 1), movable.get(i)) < 0) {
                number++;
            }
            classes.put(movable.get(i), number);
        }
        return classes;
    }

    private static boolean swaps(int a, int b) {
        String swapped = Character.toString(b) + Character.toString(a);
        return a != b
                && Normalizer.normalize(Character.toString(a) + Character.toString(b), Form.NFD)
                        .equals(swapped);
    }
}
