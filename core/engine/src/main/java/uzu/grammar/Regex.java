package uzu.grammar;

import java.util.List;

/** A regular expression of ECMAScript as read. */
sealed interface Regex {
    record Chars(CodePoints set) implements Regex {}

    record Sequence(List<Regex> parts) implements Regex {}

    record Choice(List<Regex> branches) implements Regex {}

    /** @param max {@link #UNBOUNDED} for no bound */
    record Repeat(Regex body, int min, int max) implements Regex {}

    /** {@code ^} */
    record Start() implements Regex {}

    /** {@code $} */
    record End() implements Regex {}

    /** {@code \b}, negated {@code \B} */
    record WordEdge(boolean negated) implements Regex {}

    /** {@code (?=…)}, negated {@code (?!…)} */
    record Ahead(Regex body, boolean negated) implements Regex {}

    int UNBOUNDED = Integer.MAX_VALUE;

    Regex NOTHING = new Sequence(List.of());
}
