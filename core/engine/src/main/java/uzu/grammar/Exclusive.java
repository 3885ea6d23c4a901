package uzu.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import uzu.UzuException;

/** Exactly one of several statements. */
final class Exclusive {
    private Exclusive() {}

    static Statement of(List<Statement> branches, SchemaKeywords keywords) {
        Apart apart = new Apart(keywords);
        int trues = 0;
        int falses = 0;
        int nulls = 0;
        for (Statement branch : branches) {
            trues += branch.trues() ? 1 : 0;
            falses += branch.falses() ? 1 : 0;
            nulls += branch.nulls() ? 1 : 0;
        }
        return new Statement(
                nulls == 1,
                trues == 1,
                falses == 1,
                one(
                        branches,
                        Statement::numbers,
                        NumberSpec.ANY,
                        apart::numbers,
                        NumberSpec::complement,
                        NumberSpec::and,
                        number -> false),
                one(
                        branches,
                        Statement::texts,
                        TextRule.ANY,
                        apart::texts,
                        TextRule::complement,
                        TextRule::and,
                        TextRule::isNothing),
                one(
                        branches,
                        Statement::arrays,
                        ArrayRule.ANY,
                        apart::arrays,
                        ArrayRule::complement,
                        ArrayRule::and,
                        ArrayRule::isNothing),
                one(
                        branches,
                        Statement::objects,
                        ObjectRule.ANY,
                        apart::objects,
                        ObjectRule::complement,
                        ObjectRule::and,
                        ObjectRule::isNothing),
                branches.stream().allMatch(Statement::exact));
    }

    private static <T> List<T> one(
            List<Statement> branches,
            Function<Statement, List<T>> kind,
            T any,
            BiPredicate<T, T> apart,
            Function<T, List<T>> complement,
            BinaryOperator<T> and,
            Predicate<T> isNothing) {
        List<T> result = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            for (T mine : kind.apply(branches.get(i))) {
                List<T> left = List.of(mine);
                for (int j = 0; j < branches.size(); j++) {
                    for (T other : j == i ? List.<T>of() : kind.apply(branches.get(j))) {
                        if (!branches.get(j).exact() && !apart.test(mine, other)) {
                            throw new Unsupported("an alternative is only known in part");
                        }
                        left = apart.test(mine, other)
                                ? left
                                : without(
                                        left, other.equals(any) ? List.of() : complement.apply(other), and, isNothing);
                    }
                }
                result.addAll(left);
            }
        }
        return result.stream().distinct().toList();
    }

    private static <T> List<T> without(List<T> left, List<T> others, BinaryOperator<T> and, Predicate<T> isNothing) {
        List<T> found = new ArrayList<>();
        for (T each : left) {
            for (T other : others) {
                T both = and.apply(each, other);
                if (!isNothing.test(both)) {
                    found.add(both);
                }
            }
        }
        if (found.size() > 200) {
            throw new Unsupported("it takes too many alternatives");
        }
        return found;
    }

    /** Whether two rules clearly have nothing in common. */
    private record Apart(SchemaKeywords keywords) {
        boolean numbers(NumberSpec one, NumberSpec other) {
            return !one.and(other).isPossible();
        }

        boolean texts(TextRule one, TextRule other) {
            TextRule both = one.and(other);
            if (both.isNothing()) {
                return true;
            }
            if (both.only() != null || both.languages().isEmpty()) {
                return false;
            }
            Automaton automaton = Automaton.of(List.of(both.language()), false);
            return automaton != null && automaton.start() < 0;
        }

        boolean arrays(ArrayRule one, ArrayRule other) {
            ArrayRule both = one.and(other);
            if (both.isNothing()) {
                return true;
            }
            for (int i = 0; i < both.min(); i++) {
                if (i <= both.prefix().size()
                        && isNothing(i < both.prefix().size() ? both.prefix().get(i) : both.rest())) {
                    return true;
                }
            }
            return false;
        }

        boolean objects(ObjectRule one, ObjectRule other) {
            ObjectRule both = one.and(other);
            return both.isNothing() || both.required().stream().anyMatch(key -> isNothing(both.value(key)));
        }

        private boolean isNothing(Formula formula) {
            try {
                return keywords.of(formula).isNothing();
            } catch (Unsupported | UzuException.GrammarUnsupported e) {
                return false;
            }
        }
    }
}
