package uzu.grammar;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some strings.
 *
 * @param languages they are in all of these
 * @param min code points
 * @param only the strings there are; null: any
 * @param not strings left out
 */
record TextRule(
        List<Rx> languages, int min, int max, @Nullable Set<String> only, Set<String> not) {
    static final TextRule ANY = new TextRule(List.of(), 0, Syntax.UNBOUNDED, null, Set.of());

    static TextRule of(Rx language) {
        return new TextRule(List.of(language), 0, Syntax.UNBOUNDED, null, Set.of());
    }

    static TextRule lengths(int min, int max) {
        return new TextRule(List.of(), min, max, null, Set.of());
    }

    static TextRule only(Set<String> values) {
        return new TextRule(List.of(), 0, Syntax.UNBOUNDED, values, Set.of());
    }

    TextRule and(TextRule other) {
        Set<Rx> all = new LinkedHashSet<>(languages);
        all.addAll(other.languages);
        Set<String> fewer = only == null ? other.only : only;
        if (only != null && other.only != null) {
            fewer = new LinkedHashSet<>(only);
            fewer.retainAll(other.only);
        }
        Set<String> out = new LinkedHashSet<>(not);
        out.addAll(other.not);
        TextRule both = new TextRule(List.copyOf(all), Math.max(min, other.min), Math.min(max, other.max), fewer, out);
        return both.only == null ? both : only(both.values());
    }

    /** Of finitely many strings, those that are in it. */
    private Set<String> values() {
        Set<String> values = new LinkedHashSet<>();
        for (String value : only == null ? Set.<String>of() : only) {
            if (allows(value)) {
                values.add(value);
            }
        }
        return values;
    }

    boolean allows(String value) {
        int length = value.codePointCount(0, value.length());
        return length >= min
                && length <= max
                && (only == null || only.contains(value))
                && !not.contains(value)
                && languages.stream().allMatch(language -> language.matches(value));
    }

    /** The strings that aren't in it. */
    List<TextRule> complement() {
        List<TextRule> parts = new ArrayList<>();
        for (Rx language : languages) {
            parts.add(of(Rx.not(language)));
        }
        if (min > 0) {
            parts.add(lengths(0, min - 1));
        }
        if (max < Syntax.UNBOUNDED) {
            parts.add(lengths(max + 1, Syntax.UNBOUNDED));
        }
        if (only != null) {
            parts.add(new TextRule(List.of(), 0, Syntax.UNBOUNDED, null, only));
        }
        if (!not.isEmpty()) {
            parts.add(only(not));
        }
        return parts;
    }

    /** Whether there clearly is no such string; there may be none though it isn't clear. */
    boolean isNothing() {
        return min > max || (only != null && only.isEmpty()) || languages.contains(Rx.NOTHING);
    }

    /** All of it as one language. */
    Rx language() {
        List<Rx> all = new ArrayList<>(languages);
        if (min > 0 || max < Syntax.UNBOUNDED) {
            all.add(Rx.repeat(Rx.letter(CodePoints.ANY), min, max));
        }
        if (only != null) {
            all.add(Rx.or(only.stream().map(Rx::text).toList()));
        }
        for (String value : not) {
            all.add(Rx.not(Rx.text(value)));
        }
        return Rx.and(all);
    }

    /** Ready to be written; null where there is none. */
    ValueShape.@Nullable Text shape(SchemaPatterns patterns) {
        if (isNothing()) {
            return null;
        }
        if (only != null) {
            List<String> values = List.copyOf(only);
            NameTrie trie = new NameTrie(values);
            return new ValueShape.Text(new NameChars(trie, trie.under(0), false), 0, Syntax.UNBOUNDED);
        }
        if (languages.isEmpty() && not.isEmpty()) {
            return new ValueShape.Text(UniformChars.ANY, min, max);
        }
        if (languages.size() == 1 && not.isEmpty() && languages.get(0) instanceof Rx.Repeated repeated) {
            if (repeated.body() instanceof Rx.Letter letter) {
                return new ValueShape.Text(
                        new UniformChars(letter.set()), Math.max(min, repeated.min()), Math.min(max, repeated.max()));
            }
        }
        boolean counted = min > 0 || max < Syntax.UNBOUNDED;
        List<Rx> all = new ArrayList<>(languages);
        for (String value : not) {
            all.add(Rx.not(Rx.text(value)));
        }
        Automaton automaton = patterns.automaton(Rx.and(all), counted);
        if (automaton == null) {
            throw new Unsupported("pattern", "it takes too many states" + (counted ? " together with a length" : ""));
        }
        return automaton.start() < 0 ? null : new ValueShape.Text(automaton, min, max);
    }
}
