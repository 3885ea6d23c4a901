package uzu.grammar;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some objects.
 *
 * @param groups each says something of every property
 * @param dependents what is required where a key is there
 * @param keys what every key is
 */
record ObjectRule(
        List<Group> groups,
        Set<String> required,
        Map<String, Set<String>> dependents,
        List<Formula> keys,
        int min,
        int max) {
    static final ObjectRule ANY = new ObjectRule(List.of(), Set.of(), Map.of(), List.of(), 0, Syntax.UNBOUNDED);

    /**
     * What properties, patternProperties and additionalProperties beside each other say.
     *
     * @param patterns by expression, which is searched for in the key
     * @param additional null: nothing is said of others
     * @param evaluates whether these properties count as looked at, for unevaluatedProperties
     */
    record Group(
            Map<String, Formula> properties,
            Map<Pattern, Formula> patterns,
            @Nullable Formula additional,
            boolean evaluates) {
        /** What it says of the values of a key. */
        List<Formula> of(String key) {
            List<Formula> says = new ArrayList<>();
            Formula own = properties.get(key);
            if (own != null) {
                says.add(own);
            }
            for (Map.Entry<Pattern, Formula> each : patterns.entrySet()) {
                if (each.getKey().language.matches(key)) {
                    says.add(each.getValue());
                }
            }
            if (says.isEmpty() && additional != null) {
                says.add(additional);
            }
            return says;
        }
    }

    /** An expression with the language of texts in which it is found. */
    record Pattern(String expression, Rx language) {}

    static ObjectRule group(Group group) {
        return new ObjectRule(List.of(group), Set.of(), Map.of(), List.of(), 0, Syntax.UNBOUNDED);
    }

    /** A key's value, if it is there. */
    static ObjectRule property(String key, Formula value) {
        return group(new Group(Map.of(key, value), Map.of(), null, false));
    }

    static ObjectRule required(Set<String> keys) {
        return new ObjectRule(List.of(), keys, Map.of(), List.of(), 0, Syntax.UNBOUNDED);
    }

    static ObjectRule dependents(Map<String, Set<String>> dependents) {
        return new ObjectRule(List.of(), Set.of(), dependents, List.of(), 0, Syntax.UNBOUNDED);
    }

    static ObjectRule keys(Formula keys) {
        return new ObjectRule(List.of(), Set.of(), Map.of(), List.of(keys), 0, Syntax.UNBOUNDED);
    }

    static ObjectRule sizes(int min, int max) {
        return new ObjectRule(List.of(), Set.of(), Map.of(), List.of(), min, max);
    }

    ObjectRule and(ObjectRule other) {
        Set<Group> all = new LinkedHashSet<>(groups);
        all.addAll(other.groups);
        Set<String> wanted = new LinkedHashSet<>(required);
        wanted.addAll(other.required);
        Map<String, Set<String>> more = new LinkedHashMap<>(dependents);
        other.dependents.forEach((key, keys) -> more.merge(key, keys, ObjectRule::union));
        Set<Formula> names = new LinkedHashSet<>(keys);
        names.addAll(other.keys);
        return new ObjectRule(
                List.copyOf(all), wanted, more, List.copyOf(names), Math.max(min, other.min), Math.min(max, other.max));
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> both = new LinkedHashSet<>(one);
        both.addAll(other);
        return both;
    }

    /** The properties that nothing has looked at are as {@code others} says. */
    ObjectRule othersOnly(Formula others) {
        Map<String, Formula> looked = new LinkedHashMap<>();
        Map<Pattern, Formula> alsoLooked = new LinkedHashMap<>();
        for (Group group : groups) {
            if (group.evaluates) {
                if (group.additional != null) {
                    return this;
                }
                group.properties.keySet().forEach(key -> looked.put(key, Formula.TRUE));
                group.patterns.keySet().forEach(pattern -> alsoLooked.put(pattern, Formula.TRUE));
            }
        }
        return and(group(new Group(looked, alsoLooked, others, true)));
    }

    List<ObjectRule> complement() {
        List<ObjectRule> parts = new ArrayList<>();
        for (String key : required) {
            parts.add(property(key, Formula.FALSE));
        }
        for (Group group : groups) {
            for (Map.Entry<String, Formula> each : group.properties.entrySet()) {
                if (!each.getValue().equals(Formula.TRUE)) {
                    parts.add(property(each.getKey(), Formula.not(each.getValue()))
                            .and(required(Set.of(each.getKey()))));
                }
            }
            if (group.patterns.values().stream().anyMatch(value -> !value.equals(Formula.TRUE))) {
                throw new Unsupported("the opposite of patternProperties is wanted");
            }
            if (group.additional != null && !group.additional.equals(Formula.TRUE)) {
                throw new Unsupported("the opposite of additionalProperties is wanted");
            }
        }
        dependents.forEach((key, wanted) ->
                wanted.forEach(other -> parts.add(property(other, Formula.FALSE).and(required(Set.of(key))))));
        if (!keys.isEmpty()) {
            throw new Unsupported("the opposite of propertyNames is wanted");
        }
        if (min > 0) {
            parts.add(sizes(0, min - 1));
        }
        if (max < Syntax.UNBOUNDED) {
            parts.add(sizes(max + 1, Syntax.UNBOUNDED));
        }
        return parts;
    }

    /** All that is said of a key's value. */
    Formula value(String key) {
        List<Formula> says = new ArrayList<>();
        groups.forEach(group -> says.addAll(group.of(key)));
        return Formula.every(says);
    }

    boolean isNothing() {
        return min > max
                || required.size() > max
                || required.stream().anyMatch(key -> value(key).equals(Formula.FALSE));
    }
}
