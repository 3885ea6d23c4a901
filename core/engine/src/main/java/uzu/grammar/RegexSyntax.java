package uzu.grammar;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * Regular expressions as syntaxes of whole texts. Assertions speak of what is around them, so what follows one is made
 * with it: {@link #rest} is all that may come from a place in the expression to the end of the text.
 */
final class RegexSyntax {
    private static final Syntax EMPTY = new Syntax.Sequence(List.of());
    private static final Syntax NEVER = new Syntax.Choice(List.of());
    private static final Syntax ANYTHING = anyNumberOf(CodePoints.ANY);

    /** Repetitions of something with assertions in it are written out up to here. */
    private static final int MOST_WRITTEN_OUT = 8;

    /** What lies before a place. */
    private enum Before {
        NOTHING,
        WORD,
        OTHER,
        /** Something, and no one asks what. */
        SOMETHING
    }

    /** Parts of an expression that follow each other; what may come from there is made once. */
    private static final class Parts {
        private final Regex first;
        private final @Nullable Parts next;
        private final boolean asksForStart;
        private final boolean asksForEdges;
        private final Map<Before, Syntax> rests = new EnumMap<>(Before.class);
        private @Nullable List<Parts> ways;

        Parts(Regex first, @Nullable Parts next) {
            this.first = first;
            this.next = next;
            asksForStart = has(first, Regex.Start.class) || next != null && next.asksForStart;
            asksForEdges = has(first, Regex.WordEdge.class) || next != null && next.asksForEdges;
        }

        /** Where the first is made of others: each way to go through them, and then what follows. */
        List<Parts> ways() {
            if (ways == null) {
                ways = switch (first) {
                    case Regex.Sequence(List<Regex> several) when !several.isEmpty() -> List.of(chain(several));
                    case Regex.Choice(List<Regex> branches) ->
                        branches.stream().map(each -> new Parts(each, next)).toList();
                    default -> throw new IllegalStateException();
                };
            }
            return ways;
        }

        private Parts chain(List<Regex> several) {
            Parts chain = new Parts(several.getLast(), next);
            for (Regex each : several.subList(0, several.size() - 1).reversed()) {
                chain = new Parts(each, chain);
            }
            return chain;
        }

        /** Each number of times that {@code repeat} allows. */
        List<Parts> times(Regex.Repeat repeat) {
            if (ways == null) {
                ways = new ArrayList<>();
                Parts parts = new Parts(Regex.NOTHING, next);
                for (int times = 0; times <= repeat.max(); times++) {
                    if (times >= repeat.min()) {
                        ways.add(parts);
                    }
                    parts = new Parts(repeat.body(), parts);
                }
            }
            return ways;
        }
    }

    private final String source;
    private final Syntax end;

    private RegexSyntax(String source, Syntax end) {
        this.source = source;
        this.end = end;
    }

    /** The texts that the expression matches as a whole. */
    static Syntax whole(String source) {
        Regex regex = RegexParser.parse(source);
        return new RegexSyntax(source, EMPTY).rest(new Parts(regex, null), Before.NOTHING);
    }

    /** Like {@link #whole} of what is followed by something else, so that assertions are refused. */
    static Syntax part(String source) {
        Regex regex = RegexParser.parse(source);
        if (hasAssertion(regex)) {
            throw new UzuException.GrammarUnsupported(
                    "the regular expression " + source + " has an assertion in a part of a text",
                    Map.of("keyword", "pattern", "pattern", source));
        }
        return plain(regex);
    }

    /** The texts in which the expression matches somewhere, as JSON Schema's {@code pattern} asks. */
    static Syntax search(String source) {
        Regex regex = RegexParser.parse(source);
        return new RegexSyntax(source, ANYTHING).after(ANYTHING, new Parts(regex, null), Before.NOTHING);
    }

    /** The texts of {@code consumed}, each followed by the parts. */
    private Syntax after(Syntax consumed, @Nullable Parts parts, Before before) {
        boolean edges = parts != null && parts.asksForEdges;
        boolean start = parts != null && parts.asksForStart;
        if (!edges && (!start || before == Before.SOMETHING || !canBeEmpty(consumed))) {
            return sequence(consumed, rest(parts, Before.SOMETHING));
        }
        List<Syntax> ways = new ArrayList<>();
        if (canBeEmpty(consumed)) {
            ways.add(rest(parts, before));
        }
        if (edges) {
            CodePoints word = RegexEscape.word();
            ways.add(sequence(endingIn(consumed, word), rest(parts, Before.WORD)));
            ways.add(sequence(endingIn(consumed, word.not()), rest(parts, Before.OTHER)));
        } else {
            ways.add(sequence(endingIn(consumed, CodePoints.ANY), rest(parts, Before.SOMETHING)));
        }
        return choice(ways);
    }

    private static Syntax endingIn(Syntax consumed, CodePoints last) {
        if (consumed instanceof Syntax.Characters(CodePoints set)) {
            return characters(set.and(last));
        }
        Syntax ending = sequence(ANYTHING, characters(last));
        return consumed == ANYTHING ? ending : new Syntax.Both(consumed, ending);
    }

    private Syntax rest(@Nullable Parts parts, Before before) {
        if (parts == null) {
            return end;
        }
        Syntax made = parts.rests.get(before);
        if (made == null) {
            made = make(parts, before);
            parts.rests.put(before, made);
        }
        return made;
    }

    private Syntax make(Parts parts, Before before) {
        Parts next = parts.next;
        return switch (parts.first) {
            case Regex.Start start -> before == Before.NOTHING ? rest(next, before) : NEVER;
            case Regex.End last -> canBeEmpty(rest(next, before)) ? EMPTY : NEVER;
            case Regex.WordEdge edge -> edge(edge, rest(next, before), before);
            case Regex.Ahead(Regex body, boolean negated) -> {
                Syntax seen = new RegexSyntax(source, ANYTHING).rest(new Parts(body, null), before);
                Syntax rest = rest(next, before);
                yield negated ? new Syntax.Except(rest, seen) : new Syntax.Both(rest, seen);
            }
            case Regex.Repeat repeat when hasAssertion(repeat) -> repeated(repeat, parts, before);
            case Regex several when hasAssertion(several) -> any(parts.ways(), before);
            default -> after(plain(parts.first), next, before);
        };
    }

    private Syntax any(List<Parts> ways, Before before) {
        return choice(ways.stream().map(way -> rest(way, before)).toList());
    }

    private Syntax edge(Regex.WordEdge edge, Syntax rest, Before before) {
        CodePoints word = RegexEscape.word();
        boolean wordNext = before == Before.WORD == edge.negated();
        return wordNext
                ? new Syntax.Both(rest, sequence(characters(word), ANYTHING))
                : new Syntax.Both(rest, choice(List.of(EMPTY, sequence(characters(word.not()), ANYTHING))));
    }

    private Syntax repeated(Regex.Repeat repeat, Parts parts, Before before) {
        Syntax tempered = tempered(repeat, parts.next);
        if (tempered != null) {
            return tempered;
        }
        if (repeat.max() > MOST_WRITTEN_OUT) {
            throw new UzuException.GrammarUnsupported(
                    "the regular expression " + source + " has an assertion inside of a repetition",
                    Map.of("keyword", "pattern", "pattern", source));
        }
        return any(parts.times(repeat), before);
    }

    /** {@code ((?!X)C)*$}: characters to the end, where no X begins. */
    private @Nullable Syntax tempered(Regex.Repeat repeat, @Nullable Parts next) {
        boolean toTheEnd = next == null ? end == EMPTY : next.first instanceof Regex.End && next.next == null;
        if (toTheEnd
                && repeat.body() instanceof Regex.Sequence(List<Regex> parts)
                && parts.size() == 2
                && parts.get(0) instanceof Regex.Ahead(Regex body, boolean negated)
                && negated
                && parts.get(1) instanceof Regex.Chars(CodePoints set)
                && !hasAssertion(body)
                && !canBeEmpty(plain(body))) {
            return new Syntax.Except(
                    new Syntax.Repeat(characters(set), repeat.min(), repeat.max()),
                    sequence(ANYTHING, plain(body), ANYTHING));
        }
        return null;
    }

    private static Syntax plain(Regex regex) {
        return switch (regex) {
            case Regex.Chars(CodePoints set) -> characters(set);
            case Regex.Sequence(List<Regex> parts) ->
                sequence(parts.stream().map(RegexSyntax::plain).toArray(Syntax[]::new));
            case Regex.Choice(List<Regex> branches) ->
                choice(branches.stream().map(RegexSyntax::plain).toList());
            case Regex.Repeat(Regex body, int min, int max) -> new Syntax.Repeat(plain(body), min, max);
            default -> throw new IllegalArgumentException(regex.toString());
        };
    }

    private static boolean hasAssertion(Regex regex) {
        return switch (regex) {
            case Regex.Chars chars -> false;
            case Regex.Sequence(List<Regex> parts) -> parts.stream().anyMatch(RegexSyntax::hasAssertion);
            case Regex.Choice(List<Regex> branches) -> branches.stream().anyMatch(RegexSyntax::hasAssertion);
            case Regex.Repeat repeat -> hasAssertion(repeat.body());
            default -> true;
        };
    }

    private static boolean has(Regex regex, Class<? extends Regex> what) {
        return what.isInstance(regex)
                || switch (regex) {
                    case Regex.Sequence(List<Regex> parts) -> parts.stream().anyMatch(each -> has(each, what));
                    case Regex.Choice(List<Regex> branches) -> branches.stream().anyMatch(each -> has(each, what));
                    case Regex.Repeat repeat -> has(repeat.body(), what);
                    case Regex.Ahead ahead -> has(ahead.body(), what);
                    default -> false;
                };
    }

    private static boolean canBeEmpty(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Sequence(List<Syntax> parts) -> parts.stream().allMatch(RegexSyntax::canBeEmpty);
            case Syntax.Choice(List<Syntax> branches) -> branches.stream().anyMatch(RegexSyntax::canBeEmpty);
            case Syntax.Repeat(Syntax body, int min, int max) -> min == 0 || canBeEmpty(body);
            case Syntax.Both(Syntax first, Syntax second) -> canBeEmpty(first) && canBeEmpty(second);
            case Syntax.Except(Syntax first, Syntax second) -> canBeEmpty(first) && !canBeEmpty(second);
            default -> false;
        };
    }

    private static Syntax characters(CodePoints set) {
        return set.isEmpty() ? NEVER : new Syntax.Characters(set);
    }

    private static Syntax anyNumberOf(CodePoints set) {
        return new Syntax.Repeat(new Syntax.Characters(set), 0, Syntax.UNBOUNDED);
    }

    private static Syntax sequence(Syntax... parts) {
        List<Syntax> flat = new ArrayList<>();
        for (Syntax part : parts) {
            if (isNever(part)) {
                return NEVER;
            }
            if (part instanceof Syntax.Sequence(List<Syntax> inner)) {
                flat.addAll(inner);
            } else {
                flat.add(part);
            }
        }
        return flat.size() == 1 ? flat.getFirst() : new Syntax.Sequence(flat);
    }

    private static boolean isNever(Syntax syntax) {
        return syntax instanceof Syntax.Choice(List<Syntax> alternatives) && alternatives.isEmpty();
    }

    private static Syntax choice(List<Syntax> branches) {
        List<Syntax> possible = branches.stream().filter(each -> !isNever(each)).toList();
        return possible.size() == 1 ? possible.getFirst() : new Syntax.Choice(possible);
    }
}
