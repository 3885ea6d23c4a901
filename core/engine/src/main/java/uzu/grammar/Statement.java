package uzu.grammar;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a formula says at a value itself, kind of value by kind: of each the alternatives. What it says of items and
 * properties stays formulas.
 *
 * @param exact false where it may leave out values that the formula allows, so that its opposite isn't known
 */
record Statement(
        boolean nulls,
        boolean trues,
        boolean falses,
        List<NumberSpec> numbers,
        List<TextRule> texts,
        List<ArrayRule> arrays,
        List<ObjectRule> objects,
        boolean exact) {
    private static final int MOST_ALTERNATIVES = 150;

    static final Statement ANYTHING = new Statement(
            true,
            true,
            true,
            List.of(NumberSpec.ANY),
            List.of(TextRule.ANY),
            List.of(ArrayRule.ANY),
            List.of(ObjectRule.ANY),
            true);

    static final Statement NOTHING =
            new Statement(false, false, false, List.of(), List.of(), List.of(), List.of(), true);

    /** All values that it allows, if these are numbers, strings, booleans and null, and at most so many; else null. */
    @Nullable Set<JsonNode> values(int most) {
        if (!arrays.isEmpty() || !objects.isEmpty()) {
            return null;
        }
        JsonNodeFactory json = JsonNodeFactory.instance;
        Set<JsonNode> values = new LinkedHashSet<>();
        for (TextRule text : texts) {
            if (text.only() == null) {
                return null;
            }
            text.only().stream().filter(text::allows).forEach(value -> values.add(json.stringNode(value)));
        }
        for (NumberSpec number : numbers) {
            Set<BigDecimal> few = number.values(most);
            if (few == null) {
                return null;
            }
            few.forEach(value -> values.add(json.numberNode(value)));
        }
        if (trues) {
            values.add(json.booleanNode(true));
        }
        if (falses) {
            values.add(json.booleanNode(false));
        }
        if (nulls) {
            values.add(json.nullNode());
        }
        return values.size() <= most ? values : null;
    }

    Statement and(Statement other) {
        return new Statement(
                nulls && other.nulls,
                trues && other.trues,
                falses && other.falses,
                both(numbers, other.numbers, NumberSpec.ANY, NumberSpec::and, number -> false),
                both(texts, other.texts, TextRule.ANY, TextRule::and, TextRule::isNothing),
                both(arrays, other.arrays, ArrayRule.ANY, ArrayRule::and, ArrayRule::isNothing),
                both(objects, other.objects, ObjectRule.ANY, ObjectRule::and, ObjectRule::isNothing),
                exact && other.exact);
    }

    private static <T> List<T> both(List<T> one, List<T> other, T any, BinaryOperator<T> and, Predicate<T> isNothing) {
        if (one.equals(List.of(any))) {
            return other;
        }
        if (other.equals(List.of(any))) {
            return one;
        }
        Set<T> found = new LinkedHashSet<>();
        for (T mine : one) {
            for (T its : other) {
                T both = mine.equals(its) ? mine : and.apply(mine, its);
                if (!isNothing.test(both)) {
                    found.add(both);
                }
            }
        }
        return checked(found);
    }

    private static <T> List<T> checked(Set<T> found) {
        if (found.size() > MOST_ALTERNATIVES) {
            throw new Unsupported("it takes too many alternatives");
        }
        return List.copyOf(found);
    }

    Statement or(Statement other) {
        return new Statement(
                nulls || other.nulls,
                trues || other.trues,
                falses || other.falses,
                either(numbers, other.numbers, NumberSpec.ANY),
                joined(either(texts, other.texts, TextRule.ANY)),
                either(arrays, other.arrays, ArrayRule.ANY),
                either(objects, other.objects, ObjectRule.ANY),
                exact && other.exact);
    }

    /** Like {@link #or}, but what says nothing of values may still say what was looked at, and stays. */
    Statement orApart(Statement other) {
        Statement joined = or(other);
        return joined.withArrays(apart(arrays, other.arrays)).withObjects(apart(objects, other.objects));
    }

    private static <T> List<T> apart(List<T> one, List<T> other) {
        Set<T> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return checked(all);
    }

    Statement withArrays(List<ArrayRule> others) {
        return new Statement(nulls, trues, falses, numbers, texts, others, objects, exact);
    }

    Statement withObjects(List<ObjectRule> others) {
        return new Statement(nulls, trues, falses, numbers, texts, arrays, others, exact);
    }

    private static <T> List<T> either(List<T> one, List<T> other, T any) {
        if (one.contains(any) || other.contains(any)) {
            return List.of(any);
        }
        Set<T> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return checked(all);
    }

    /** Sets of strings joined, as the constants of a long anyOf are. */
    private static List<TextRule> joined(List<TextRule> texts) {
        if (texts.stream().filter(text -> text.only() != null).count() < 2) {
            return texts;
        }
        Set<String> values = new LinkedHashSet<>();
        List<TextRule> joined = new ArrayList<>();
        for (TextRule text : texts) {
            if (text.only() == null) {
                joined.add(text);
            } else {
                values.addAll(text.only());
            }
        }
        joined.add(TextRule.only(values));
        return joined;
    }

    Statement not() {
        if (!exact) {
            throw new Unsupported("the opposite of something that is only known in part is wanted");
        }
        return new Statement(
                !nulls,
                !trues,
                !falses,
                none(numbers, NumberSpec.ANY, NumberSpec::complement, NumberSpec::and, number -> false),
                none(texts, TextRule.ANY, TextRule::complement, TextRule::and, TextRule::isNothing),
                none(arrays, ArrayRule.ANY, ArrayRule::complement, ArrayRule::and, ArrayRule::isNothing),
                none(objects, ObjectRule.ANY, ObjectRule::complement, ObjectRule::and, ObjectRule::isNothing),
                true);
    }

    /** What is in none of the alternatives. */
    private static <T> List<T> none(
            List<T> alternatives,
            T any,
            Function<T, List<T>> complement,
            BinaryOperator<T> and,
            Predicate<T> isNothing) {
        List<T> left = List.of(any);
        for (T each : alternatives) {
            left = both(left, each.equals(any) ? List.of() : complement.apply(each), any, and, isNothing);
        }
        return left;
    }

    /** Whether there clearly is no such value. */
    boolean isNothing() {
        return !nulls
                && !trues
                && !falses
                && numbers.stream().noneMatch(NumberSpec::isPossible)
                && texts.stream().allMatch(TextRule::isNothing)
                && arrays.stream().allMatch(ArrayRule::isNothing)
                && objects.stream().allMatch(ObjectRule::isNothing);
    }

    Statement inexact() {
        return new Statement(nulls, trues, falses, numbers, texts, arrays, objects, false);
    }

    static Statement ofNumbers(NumberSpec spec) {
        return new Statement(false, false, false, List.of(spec), List.of(), List.of(), List.of(), true);
    }

    static Statement ofTexts(TextRule rule) {
        return new Statement(false, false, false, List.of(), List.of(rule), List.of(), List.of(), true);
    }

    static Statement ofArrays(ArrayRule rule) {
        return new Statement(false, false, false, List.of(), List.of(), List.of(rule), List.of(), true);
    }

    static Statement ofObjects(ObjectRule rule) {
        return new Statement(false, false, false, List.of(), List.of(), List.of(), List.of(rule), true);
    }

    static Statement ofBooleans(boolean withTrue, boolean withFalse) {
        return new Statement(false, withTrue, withFalse, List.of(), List.of(), List.of(), List.of(), true);
    }

    static Statement ofNull() {
        return new Statement(true, false, false, List.of(), List.of(), List.of(), List.of(), true);
    }

    /** These numbers, and every value that is no number; likewise below. */
    static Statement ifNumber(NumberSpec spec) {
        return new Statement(true, true, true, List.of(spec), ANYTHING.texts, ANYTHING.arrays, ANYTHING.objects, true);
    }

    static Statement ifText(TextRule rule) {
        return new Statement(
                true, true, true, ANYTHING.numbers, List.of(rule), ANYTHING.arrays, ANYTHING.objects, true);
    }

    static Statement ifArray(ArrayRule rule) {
        return new Statement(true, true, true, ANYTHING.numbers, ANYTHING.texts, List.of(rule), ANYTHING.objects, true);
    }

    static Statement ifObject(ObjectRule rule) {
        return new Statement(true, true, true, ANYTHING.numbers, ANYTHING.texts, ANYTHING.arrays, List.of(rule), true);
    }
}
