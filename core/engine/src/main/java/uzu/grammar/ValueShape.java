package uzu.grammar;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The JSON values that a schema allows, kind by kind. Shapes refer to each other in circles, so one is made first and
 * filled later.
 */
final class ValueShape {
    /** A kind of strings. */
    record Text(Chars chars, int min, int max) {
        private @Nullable TextFrame frame() {
            return TextFrame.of(chars, Chars.Writing.JSON, min, max);
        }
    }

    private boolean nulls;
    private boolean trues;
    private boolean falses;
    private List<NumberSpec> numbers = List.of();
    private List<Text> texts = List.of();
    private List<ArrayShape> arrays = List.of();
    private List<ObjectSpec> objects = List.of();
    private boolean possible;
    /** Of its own, without what follows. */
    private int cost = Cost.NEVER;

    void fill(
            boolean withNull,
            boolean withTrue,
            boolean withFalse,
            List<NumberSpec> withNumbers,
            List<Text> withTexts,
            List<ArrayShape> withArrays,
            List<ObjectSpec> withObjects) {
        nulls = withNull;
        trues = withTrue;
        falses = withFalse;
        numbers = List.copyOf(withNumbers);
        texts = withTexts.stream().filter(text -> text.frame() != null).toList();
        arrays = List.copyOf(withArrays);
        objects = List.copyOf(withObjects);
    }

    /** Tokens that suffice for a value, {@link Cost#NEVER} while none is found. */
    int cost() {
        return cost;
    }

    /** Whether there is any such value, as far as is known. */
    boolean isPossible() {
        return possible;
    }

    /** Looks again whether there is any such value, as others may have been found; whether that is news. */
    boolean findPossible() {
        boolean before = possible;
        possible |= nulls || trues || falses || !texts.isEmpty();
        possible |= numbers.stream().anyMatch(NumberSpec::isPossible);
        possible |= arrays.stream().anyMatch(ArrayShape::isPossible);
        possible |= objects.stream().anyMatch(ObjectSpec::isPossible);
        return possible != before;
    }

    /** Forgets what was found to be impossible; to be called when all that is possible has been found. */
    void dropImpossible() {
        numbers = numbers.stream().filter(NumberSpec::isPossible).toList();
        arrays = arrays.stream().filter(ArrayShape::isPossible).toList();
        objects = objects.stream().filter(ObjectSpec::isPossible).toList();
    }

    /** Looks again for a shorter value, as shorter parts may have been found; whether there is one. */
    boolean shorten() {
        int least = cost;
        if (nulls || trues) {
            least = Math.min(least, 4);
        }
        if (falses) {
            least = Math.min(least, 5);
        }
        for (NumberSpec number : numbers) {
            least = Math.min(least, number.cost());
        }
        for (Text text : texts) {
            least = Math.min(
                    least,
                    Cost.sum(2, text.chars.distance(text.chars.start(), text.min, text.max, Chars.Writing.JSON)));
        }
        for (ArrayShape array : arrays) {
            least = Math.min(least, array.cost());
        }
        for (ObjectSpec object : objects) {
            least = Math.min(least, object.cost());
        }
        boolean shorter = least < cost;
        cost = least;
        return shorter;
    }

    /** To be called when all costs are found. */
    void settle() {
        arrays.forEach(ArrayShape::settle);
        objects.forEach(ObjectSpec::settle);
    }

    /** No byte of a value makes what is to come longer by more. */
    int dearest() {
        int most = 16;
        for (NumberSpec number : numbers) {
            most = Math.max(most, number.isFree() ? 1 : number.wholeDigits() + number.fractionDigits() + 2);
        }
        for (Text text : texts) {
            boolean counted = text.min > 0 || text.max < Chars.UNBOUNDED;
            int farthest = counted && !text.chars.isUniform() ? Cost.NEVER : text.chars.farthest();
            most = Math.max(most, Cost.sum(Cost.sum(farthest, Cost.times(6, text.min)), 16));
        }
        for (ArrayShape array : arrays) {
            most = Math.max(most, array.dearest());
        }
        for (ObjectSpec object : objects) {
            most = Math.max(most, object.dearest());
        }
        return most;
    }

    /** A bit for each kind of value. */
    int kinds() {
        return (nulls ? 1 : 0)
                | (trues || falses ? 2 : 0)
                | (numbers.isEmpty() ? 0 : 4)
                | (texts.isEmpty() ? 0 : 8)
                | (arrays.isEmpty() ? 0 : 16)
                | (objects.isEmpty() ? 0 : 32);
    }

    /** Takes the first byte of a value. */
    void step(int b, Stack below, Threads out) {
        switch (b) {
            case '"' -> {
                for (Text text : texts) {
                    out.add(Objects.requireNonNull(text.frame()), below);
                }
            }
            case '{' -> {
                for (ObjectSpec object : objects) {
                    out.add(ObjectFrame.open(object), below);
                }
            }
            case '[' -> {
                for (ArrayShape array : arrays) {
                    out.add(array.open(), below);
                }
            }
            case 'n' -> word(nulls, LiteralFrame.NULL, below, out);
            case 't' -> word(trues, LiteralFrame.TRUE, below, out);
            case 'f' -> word(falses, LiteralFrame.FALSE, below, out);
            default -> {
                for (NumberSpec number : numbers) {
                    number.step(b, below, out);
                }
            }
        }
    }

    private static void word(boolean allowed, LiteralFrame rest, Stack below, Threads out) {
        if (allowed) {
            out.add(rest, below);
        }
    }
}
