package uzu.grammar;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the grammars of llama.cpp: {@code name ::= …} with literals, classes, groups and counts. */
final class Gbnf {
    private static final int MOST_DEPTH = 200;

    private final EbnfSource source;
    private final EbnfRules rules;
    private int depth;

    private Gbnf(EbnfSource source) {
        this.source = source;
        rules = new EbnfRules(source);
    }

    static Syntax parse(String text) {
        return new Gbnf(new EbnfSource(text, "#")).all();
    }

    private Syntax all() {
        for (source.skip(true); !source.atEnd(); source.skip(true)) {
            int from = source.position();
            String name = source.name("-");
            if (name.isEmpty()) {
                throw source.fault("a rule's name is missing", from);
            }
            source.skip(true);
            source.expect("::=");
            source.skip(true);
            rules.add(name, choice(false), from);
            if (!source.atEnd() && source.peek() != '\n' && source.peek() != '\r') {
                throw source.fault(
                        "the rule " + name + " goes on with a sign that means nothing there", source.position());
            }
        }
        return rules.syntax("root");
    }

    /** @param grouped whether line ends mean nothing */
    private Syntax choice(boolean grouped) {
        List<Syntax> alternatives = new ArrayList<>();
        alternatives.add(sequence(grouped));
        while (source.eat("|")) {
            source.skip(true);
            alternatives.add(sequence(grouped));
        }
        return alternatives.size() == 1 ? alternatives.getFirst() : new Syntax.Choice(alternatives);
    }

    private Syntax sequence(boolean grouped) {
        List<Syntax> parts = new ArrayList<>();
        for (source.skip(grouped); ; source.skip(grouped)) {
            int from = source.position();
            Syntax item = item();
            if (item == null) {
                return parts.size() == 1 ? parts.getFirst() : new Syntax.Sequence(parts);
            }
            source.skip(grouped);
            parts.add(counted(item, from));
        }
    }

    private Syntax counted(Syntax item, int from) {
        Syntax counted = item;
        while (true) {
            if (source.eat("*")) {
                counted = new Syntax.Repeat(counted, 0, Syntax.UNBOUNDED);
            } else if (source.eat("+")) {
                counted = new Syntax.Repeat(counted, 1, Syntax.UNBOUNDED);
            } else if (source.eat("?")) {
                counted = new Syntax.Repeat(counted, 0, 1);
            } else if (source.eat("{")) {
                counted = braced(counted, from);
            } else {
                return counted;
            }
        }
    }

    private Syntax braced(Syntax item, int from) {
        source.skip(false);
        int min = source.peek() == ',' ? 0 : source.number();
        int max = min;
        source.skip(false);
        if (source.eat(",")) {
            source.skip(false);
            max = source.peek() == '}' ? Syntax.UNBOUNDED : source.number();
            source.skip(false);
        }
        source.expect("}");
        if (max < min) {
            throw source.fault("a count ends below its start", from);
        }
        return new Syntax.Repeat(item, min, max);
    }

    /** Null where none begins. */
    private @Nullable Syntax item() {
        int from = source.position();
        if (source.eat("\"")) {
            return literal();
        }
        if (source.eat("[")) {
            return characters(from);
        }
        if (source.eat(".")) {
            return new Syntax.Characters(CodePoints.ANY);
        }
        if (source.eat("(")) {
            return group(from);
        }
        if (source.eat("<")) {
            return token(from);
        }
        if (source.sees("!")) {
            throw source.fault("all tokens but one can't be asked for", from);
        }
        String name = source.name("-");
        return name.isEmpty() ? null : rules.reference(name, from);
    }

    private Syntax group(int from) {
        if (++depth > MOST_DEPTH) {
            throw source.fault("groups are nested deeper than " + MOST_DEPTH, from);
        }
        Syntax inner = choice(true);
        if (!source.eat(")")) {
            throw source.fault("a group isn't closed", from);
        }
        depth--;
        return inner;
    }

    private Syntax token(int from) {
        if (source.sees("[")) {
            throw source.fault("a token is asked for by its number, which only one vocabulary has", from);
        }
        while (!source.eat(">")) {
            source.next();
        }
        return new Syntax.Literal(source.from(from));
    }

    private Syntax literal() {
        StringBuilder text = new StringBuilder();
        while (!source.eat("\"")) {
            text.appendCodePoint(character());
        }
        return text.isEmpty() ? new Syntax.Sequence(List.of()) : new Syntax.Literal(text.toString());
    }

    private Syntax characters(int from) {
        boolean negated = source.eat("^");
        CodePoints set = CodePoints.NONE;
        while (!source.eat("]")) {
            int first = character();
            int last = first;
            if (source.sees("-") && !source.sees("-]")) {
                source.next();
                last = character();
            }
            if (last < first) {
                throw source.fault("a range ends below its start", from);
            }
            set = set.or(CodePoints.range(first, last));
        }
        return new Syntax.Characters(negated ? set.not() : set);
    }

    private int character() {
        int from = source.position();
        int c = source.next();
        if (c != '\\') {
            return c;
        }
        int escape = source.next();
        return switch (escape) {
            case 'x' -> source.hex(2);
            case 'u' -> source.hex(4);
            case 'U' -> source.hex(8);
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'n' -> '\n';
            case '\\', '"', '[', ']', '-', '^' -> escape;
            default -> throw source.fault("an escape is unknown", from);
        };
    }
}
