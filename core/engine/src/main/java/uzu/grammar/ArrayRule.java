package uzu.grammar;

import java.util.ArrayList;
import java.util.List;

/**
 * Some arrays.
 *
 * @param prefix what the first items are
 * @param rest what the others are
 * @param unique whether no two items are equal
 * @param contains of which items there must be how many
 * @param evaluated the first so many items have been looked at, for unevaluatedItems; {@link Syntax#UNBOUNDED}: all
 */
record ArrayRule(
        List<Formula> prefix, Formula rest, int min, int max, boolean unique, List<Contains> contains, int evaluated) {
    static final ArrayRule ANY = new ArrayRule(List.of(), Formula.TRUE, 0, Syntax.UNBOUNDED, false, List.of(), 0);

    /** From {@code min} to {@code max} items are {@code item}. */
    record Contains(Formula item, int min, int max) {}

    static ArrayRule items(List<Formula> prefix, Formula rest, int evaluated) {
        return new ArrayRule(prefix, rest, 0, Syntax.UNBOUNDED, false, List.of(), evaluated);
    }

    static ArrayRule lengths(int min, int max) {
        return new ArrayRule(List.of(), Formula.TRUE, min, max, false, List.of(), 0);
    }

    static ArrayRule containing(Contains what) {
        return new ArrayRule(List.of(), Formula.TRUE, 0, Syntax.UNBOUNDED, false, List.of(what), 0);
    }

    static ArrayRule distinct() {
        return new ArrayRule(List.of(), Formula.TRUE, 0, Syntax.UNBOUNDED, true, List.of(), 0);
    }

    private Formula item(int index) {
        return index < prefix.size() ? prefix.get(index) : rest;
    }

    ArrayRule and(ArrayRule other) {
        List<Formula> both = new ArrayList<>();
        for (int i = 0; i < Math.max(prefix.size(), other.prefix.size()); i++) {
            both.add(Formula.every(List.of(item(i), other.item(i))));
        }
        List<Contains> all = new ArrayList<>(contains);
        all.addAll(other.contains);
        return new ArrayRule(
                both,
                Formula.every(List.of(rest, other.rest)),
                Math.max(min, other.min),
                Math.min(max, other.max),
                unique || other.unique,
                all.stream().distinct().toList(),
                Math.max(evaluated, other.evaluated));
    }

    /** The items that nothing has looked at are as {@code others} says. */
    ArrayRule restOnly(Formula others) {
        if (evaluated == Syntax.UNBOUNDED) {
            return this;
        }
        List<Formula> looked = new ArrayList<>();
        for (int i = 0; i < evaluated; i++) {
            looked.add(Formula.TRUE);
        }
        return and(items(looked, others, Syntax.UNBOUNDED));
    }

    List<ArrayRule> complement() {
        if (unique) {
            throw new Unsupported("the opposite of uniqueItems is wanted");
        }
        List<ArrayRule> parts = new ArrayList<>();
        if (min > 0) {
            parts.add(lengths(0, min - 1));
        }
        if (max < Syntax.UNBOUNDED) {
            parts.add(lengths(max + 1, Syntax.UNBOUNDED));
        }
        for (int i = 0; i < prefix.size(); i++) {
            if (!prefix.get(i).equals(Formula.TRUE)) {
                List<Formula> wrong = new ArrayList<>();
                for (int before = 0; before < i; before++) {
                    wrong.add(Formula.TRUE);
                }
                wrong.add(Formula.not(prefix.get(i)));
                parts.add(items(wrong, Formula.TRUE, 0).and(lengths(i + 1, Syntax.UNBOUNDED)));
            }
        }
        if (rest.equals(Formula.FALSE)) {
            parts.add(lengths(prefix.size() + 1, Syntax.UNBOUNDED));
        } else if (!rest.equals(Formula.TRUE)) {
            if (!prefix.isEmpty()) {
                throw new Unsupported("the opposite of items behind prefixItems is wanted");
            }
            parts.add(containing(new Contains(Formula.not(rest), 1, Syntax.UNBOUNDED)));
        }
        for (Contains each : contains) {
            if (each.min > 0) {
                parts.add(containing(new Contains(each.item, 0, each.min - 1)));
            }
            if (each.max < Syntax.UNBOUNDED) {
                parts.add(containing(new Contains(each.item, each.max + 1, Syntax.UNBOUNDED)));
            }
        }
        return parts;
    }

    boolean isNothing() {
        if (min > max) {
            return true;
        }
        for (int i = 0; i < Math.min(min, prefix.size() + 1); i++) {
            if (item(i).equals(Formula.FALSE)) {
                return true;
            }
        }
        return false;
    }
}
