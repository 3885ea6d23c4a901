package uzu.grammar;

import java.util.List;
import java.util.Map;
import uzu.Grammar;
import uzu.PropertyOrder;

/**
 * What a text may be: an immutable tree that others compose. Texts are Unicode, and what counts are code points. A part
 * without {@link Reference}, {@link Json} and {@link JsonSchema} is regular.
 */
public sealed interface Syntax {
    /** The {@code max} of a {@link Repeat} without end. */
    int UNBOUNDED = Integer.MAX_VALUE;

    /**
     * This text, or the one control token of the vocabulary that is spelled so; where both exist, either. Control tokens
     * are only found for a literal that stands outside {@link Both} and {@link Except}.
     */
    record Literal(String text) implements Syntax {}

    /** One code point of the set. */
    record Characters(CodePoints set) implements Syntax {}

    /** One after the other; of none: the empty text. */
    record Sequence(List<Syntax> parts) implements Syntax {
        public Sequence {
            parts = List.copyOf(parts);
        }
    }

    /** Any one of them; of none: no text at all. */
    record Choice(List<Syntax> alternatives) implements Syntax {
        public Choice {
            alternatives = List.copyOf(alternatives);
        }
    }

    /** From {@code min} to {@code max} times; a counter, so large numbers cost nothing. */
    record Repeat(Syntax body, int min, int max) implements Syntax {}

    /** What both of two regular syntaxes allow. */
    record Both(Syntax first, Syntax second) implements Syntax {}

    /** What the first of two regular syntaxes allows and the second doesn't. */
    record Except(Syntax first, Syntax second) implements Syntax {}

    /** Any text up to and including the first {@code marker}. */
    record Until(String marker) implements Syntax {}

    /** Any text, maybe empty, that holds none of the {@code markers}. */
    record Without(List<String> markers) implements Syntax {
        public Without {
            markers = List.copyOf(markers);
        }
    }

    /** The rule named so of the {@link Rules} around it; rules may be recursive. */
    record Reference(String rule) implements Syntax {}

    /** Named rules, in whose scope {@code start} and the rules themselves are. */
    record Rules(Map<String, Syntax> rules, Syntax start) implements Syntax {
        public Rules {
            rules = Map.copyOf(rules);
        }
    }

    /** Any JSON value, without whitespace around it. */
    record Json() implements Syntax {}

    /** As which version of JSON Schema a schema is read that doesn't say. */
    enum Draft {
        DRAFT_7,
        DRAFT_2020
    }

    /**
     * A JSON value that the schema accepts, without whitespace around it.
     *
     * @param documents what the schema may refer to: documents by their addresses
     */
    record JsonSchema(String schema, PropertyOrder order, Draft draft, Map<String, String> documents)
            implements Syntax {
        public JsonSchema {
            documents = Map.copyOf(documents);
        }
    }

    static Syntax literal(String text) {
        return new Literal(text);
    }

    static Syntax characters(CodePoints set) {
        return new Characters(set);
    }

    static Syntax sequence(Syntax... parts) {
        return new Sequence(List.of(parts));
    }

    static Syntax choice(Syntax... alternatives) {
        return new Choice(List.of(alternatives));
    }

    static Syntax repeat(Syntax body, int min, int max) {
        return new Repeat(body, min, max);
    }

    static Syntax optional(Syntax body) {
        return new Repeat(body, 0, 1);
    }

    static Syntax until(String marker) {
        return new Until(marker);
    }

    static Syntax without(String... markers) {
        return new Without(List.of(markers));
    }

    static Syntax json() {
        return new Json();
    }

    static Syntax jsonSchema(String schemaText) {
        return new JsonSchema(schemaText, PropertyOrder.FREE, Draft.DRAFT_2020, Map.of());
    }

    /** The texts that an expression of ECMAScript matches as a whole. */
    static Syntax regex(String expression) {
        return RegexSyntax.whole(expression);
    }

    /** The texts of a grammar of llama.cpp's, from {@code root} on, or of Lark's, from {@code start} on. */
    static Syntax ebnf(String text) {
        return Ebnf.parse(text);
    }

    /** What a caller asked for. */
    static Syntax of(Grammar grammar) {
        return switch (grammar) {
            case Grammar.JsonSchema(String text, PropertyOrder order) ->
                new JsonSchema(text, order, Draft.DRAFT_2020, Map.of());
            case Grammar.JsonAny any -> json();
            case Grammar.Regex(String pattern) -> regex(pattern);
            case Grammar.Ebnf(String text) -> ebnf(text);
            case Grammar.Choice choice ->
                new Choice(choice.values().stream().map(Syntax::literal).toList());
        };
    }
}
