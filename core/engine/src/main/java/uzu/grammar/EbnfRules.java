package uzu.grammar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of a grammar while they are read, and what becomes of them: those that refer to themselves stay rules, the
 * others are put where they are named. A rule that begins with itself is turned round: {@code a: a x | y} is {@code y x*}.
 */
final class EbnfRules {
    /** What grammars made by programs come to; the time to check one grows with the square. */
    private static final int MOST_RULES = 2000;

    /** Parts that one rule may come to when others are put into it. */
    private static final int MOST_PARTS = 1000;

    private final EbnfSource source;
    private final Map<String, Syntax> rules = new LinkedHashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, Integer> references = new LinkedHashMap<>();
    private final Map<String, Set<String>> named = new HashMap<>();

    EbnfRules(EbnfSource source) {
        this.source = source;
    }

    void add(String name, Syntax body, int where) {
        if (rules.putIfAbsent(name, body) != null) {
            throw source.fault("the rule " + name + " is there a second time", where, Map.of("rule", name));
        }
        if (rules.size() > MOST_RULES) {
            throw source.fault("there are more than " + MOST_RULES + " rules", where);
        }
        places.put(name, where);
    }

    boolean has(String name) {
        return rules.containsKey(name);
    }

    Syntax reference(String name, int where) {
        references.putIfAbsent(name, where);
        return new Syntax.Reference(name);
    }

    /** All that the rule {@code start} allows. */
    Syntax syntax(String start) {
        references.forEach((name, where) -> {
            if (!rules.containsKey(name)) {
                throw source.fault("the rule " + name + " is missing", where, Map.of("rule", name));
            }
        });
        if (!rules.containsKey(start)) {
            throw source.fault("the rule " + start + " is missing", 0, Map.of("rule", start));
        }
        Set<String> used = reachable(start);
        rules.keySet().retainAll(used);
        Set<String> empty = allThat(this::canBeEmpty);
        rules.replaceAll((name, body) -> turned(name, body));
        for (String name : rules.keySet()) {
            checkStart(name, empty);
        }
        Set<String> ending = allThat(this::canEnd);
        for (String name : rules.keySet()) {
            if (!ending.contains(name)) {
                throw fault("the rule " + name + " never ends", name);
            }
        }
        return assembled(start);
    }

    private RuntimeException fault(String what, String rule) {
        return source.fault(what, places.getOrDefault(rule, 0), Map.of("rule", rule));
    }

    private Set<String> reachable(String start) {
        Set<String> found = new LinkedHashSet<>(List.of(start));
        List<String> open = new ArrayList<>(found);
        while (!open.isEmpty()) {
            for (String each : names(open.removeLast())) {
                if (found.add(each)) {
                    open.add(each);
                }
            }
        }
        return found;
    }

    private Syntax rule(String name) {
        return Objects.requireNonNull(rules.get(name), name);
    }

    /** The rules that a rule names. */
    private Set<String> names(String rule) {
        return named.computeIfAbsent(rule, each -> {
            Set<String> names = new LinkedHashSet<>();
            collect(rule(each), names);
            return names;
        });
    }

    private static void collect(Syntax syntax, Set<String> into) {
        switch (syntax) {
            case Syntax.Reference(String rule) -> into.add(rule);
            case Syntax.Sequence(List<Syntax> parts) -> parts.forEach(part -> collect(part, into));
            case Syntax.Choice(List<Syntax> alternatives) -> alternatives.forEach(each -> collect(each, into));
            case Syntax.Repeat repeat -> collect(repeat.body(), into);
            default -> {}
        }
    }

    private interface Property {
        boolean holds(Syntax syntax, Set<String> known);
    }

    /** The rules that have a property, which follows from that of others. */
    private Set<String> allThat(Property property) {
        Set<String> known = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Map.Entry<String, Syntax> rule : rules.entrySet()) {
                if (!known.contains(rule.getKey()) && property.holds(rule.getValue(), known)) {
                    known.add(rule.getKey());
                    more = true;
                }
            }
        }
        return known;
    }

    private boolean canBeEmpty(Syntax syntax, Set<String> empty) {
        return switch (syntax) {
            case Syntax.Reference(String rule) -> empty.contains(rule);
            case Syntax.Sequence(List<Syntax> parts) -> parts.stream().allMatch(part -> canBeEmpty(part, empty));
            case Syntax.Choice(List<Syntax> alternatives) ->
                alternatives.stream().anyMatch(each -> canBeEmpty(each, empty));
            case Syntax.Repeat repeat -> repeat.min() == 0 || canBeEmpty(repeat.body(), empty);
            default -> false;
        };
    }

    private boolean canEnd(Syntax syntax, Set<String> ending) {
        return switch (syntax) {
            case Syntax.Reference(String rule) -> ending.contains(rule);
            case Syntax.Sequence(List<Syntax> parts) -> parts.stream().allMatch(part -> canEnd(part, ending));
            case Syntax.Choice(List<Syntax> alternatives) ->
                alternatives.stream().anyMatch(each -> canEnd(each, ending));
            case Syntax.Repeat repeat -> repeat.min() == 0 || canEnd(repeat.body(), ending);
            case Syntax.Characters(CodePoints set) -> !set.isEmpty();
            default -> true;
        };
    }

    private static Syntax turned(String name, Syntax body) {
        List<Syntax> alternatives = body instanceof Syntax.Choice(List<Syntax> several) ? several : List.of(body);
        List<Syntax> firsts = new ArrayList<>();
        List<Syntax> tails = new ArrayList<>();
        for (Syntax each : alternatives) {
            List<Syntax> parts = each instanceof Syntax.Sequence(List<Syntax> several) ? several : List.of(each);
            if (!parts.isEmpty() && parts.getFirst().equals(new Syntax.Reference(name))) {
                tails.add(new Syntax.Sequence(parts.subList(1, parts.size())));
            } else {
                firsts.add(each);
            }
        }
        if (tails.isEmpty()) {
            return body;
        }
        return new Syntax.Sequence(
                List.of(new Syntax.Choice(firsts), new Syntax.Repeat(new Syntax.Choice(tails), 0, Syntax.UNBOUNDED)));
    }

    /** No rule may come back to itself before it has taken a character: following it would not end. */
    private void checkStart(String name, Set<String> empty) {
        Map<String, String> cameFrom = new LinkedHashMap<>();
        List<String> open = new ArrayList<>(List.of(name));
        while (!open.isEmpty()) {
            String rule = open.removeLast();
            Set<String> begins = new LinkedHashSet<>();
            starts(rule(rule), empty, begins);
            for (String each : begins) {
                if (each.equals(name)) {
                    StringBuilder path = new StringBuilder(name);
                    for (String at = rule; !at.equals(name); at = cameFrom.getOrDefault(at, name)) {
                        path.insert(0, at + " → ");
                    }
                    throw fault("the rule " + name + " begins with itself: " + name + " → " + path, name);
                }
                if (cameFrom.putIfAbsent(each, rule) == null) {
                    open.add(each);
                }
            }
        }
    }

    /** The rules that a text of the syntax may begin with; whether it may be empty. */
    private boolean starts(Syntax syntax, Set<String> empty, Set<String> into) {
        return switch (syntax) {
            case Syntax.Reference(String rule) -> {
                into.add(rule);
                yield empty.contains(rule);
            }
            case Syntax.Sequence(List<Syntax> parts) -> {
                for (Syntax part : parts) {
                    if (!starts(part, empty, into)) {
                        yield false;
                    }
                }
                yield true;
            }
            case Syntax.Choice(List<Syntax> alternatives) -> {
                boolean any = false;
                for (Syntax each : alternatives) {
                    any |= starts(each, empty, into);
                }
                yield any;
            }
            case Syntax.Repeat repeat -> starts(repeat.body(), empty, into) || repeat.min() == 0;
            default -> false;
        };
    }

    private Syntax assembled(String start) {
        Map<String, Syntax> inlined = new HashMap<>();
        Map<String, Syntax> kept = new LinkedHashMap<>();
        for (String name : innermostFirst(start)) {
            Syntax body = replaced(rule(name), inlined);
            if (isRecursive(name) || size(body) > MOST_PARTS) {
                kept.put(name, body);
            } else {
                inlined.put(name, body);
            }
        }
        Syntax whole = inlined.getOrDefault(start, new Syntax.Reference(start));
        return kept.isEmpty() ? whole : new Syntax.Rules(kept, whole);
    }

    /** Each rule after those it names, where they don't name it in turn. */
    private List<String> innermostFirst(String start) {
        List<String> order = new ArrayList<>();
        Set<String> seen = new HashSet<>(List.of(start));
        List<String> path = new ArrayList<>(List.of(start));
        while (!path.isEmpty()) {
            Optional<String> next =
                    names(path.getLast()).stream().filter(seen::add).findFirst();
            if (next.isPresent()) {
                path.add(next.get());
            } else {
                order.add(path.removeLast());
            }
        }
        return order;
    }

    private boolean isRecursive(String name) {
        Set<String> seen = new HashSet<>();
        List<String> open = new ArrayList<>(names(name));
        while (!open.isEmpty()) {
            String each = open.removeLast();
            if (each.equals(name)) {
                return true;
            }
            if (seen.add(each)) {
                open.addAll(names(each));
            }
        }
        return false;
    }

    private static Syntax replaced(Syntax syntax, Map<String, Syntax> by) {
        return switch (syntax) {
            case Syntax.Reference(String rule) -> by.getOrDefault(rule, syntax);
            case Syntax.Sequence(List<Syntax> parts) ->
                new Syntax.Sequence(
                        parts.stream().map(part -> replaced(part, by)).toList());
            case Syntax.Choice(List<Syntax> alternatives) ->
                new Syntax.Choice(
                        alternatives.stream().map(each -> replaced(each, by)).toList());
            case Syntax.Repeat(Syntax body, int min, int max) -> new Syntax.Repeat(replaced(body, by), min, max);
            default -> syntax;
        };
    }

    private static int size(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Sequence(List<Syntax> parts) -> sum(parts);
            case Syntax.Choice(List<Syntax> alternatives) -> sum(alternatives);
            case Syntax.Repeat repeat -> 1 + size(repeat.body());
            default -> 1;
        };
    }

    private static int sum(List<Syntax> parts) {
        int sum = 1;
        for (Syntax part : parts) {
            sum += size(part);
        }
        return sum;
    }
}
