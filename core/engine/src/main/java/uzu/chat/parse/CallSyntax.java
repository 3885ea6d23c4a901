package uzu.chat.parse;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import uzu.grammar.CodePoints;
import uzu.grammar.Syntax;

/** Pieces that the grammars of several formats are made of. */
final class CallSyntax {
    static final Syntax BLANK = Syntax.regex("\\s*");

    /** No sentence starts with one, nor does a list or a heading; calls and their remains do. */
    private static final CodePoints NO_START = CodePoints.range(0, ' ').or(CodePoints.of("!\"%&'(),./:;<=>?[\\]^`{|}"));

    private static final Syntax NO_WORDS =
            Syntax.optional(Syntax.sequence(Syntax.characters(NO_START), Syntax.without()));

    private static final List<String> CALL_KEYS = List.of("{\"name\"", "\"arguments\"", "\"parameters\"");

    /** Most calls of a turn: a model that can't find an end is stopped. */
    private static final int MOST = 32;

    private CallSyntax() {}

    /** Words: a text without {@code markers} that is no call in disguise, as small models write it when they may not. */
    static Syntax words(List<String> markers) {
        List<String> without = new ArrayList<>(markers);
        without.addAll(CALL_KEYS);
        return Syntax.sequence(Syntax.regex("[ \\n]{0,2}"), new Syntax.Except(new Syntax.Without(without), NO_WORDS));
    }

    /** {@code text}, in which each of {@code marks} may be one token. */
    static Syntax marked(String text, Collection<String> marks) {
        List<Syntax> parts = new ArrayList<>();
        Input input = new Input();
        input.add(text);
        input.end();
        while (!input.isEmpty()) {
            Input.Found found = input.find(marks, 0);
            if (found.at() > 0) {
                parts.add(Syntax.literal(input.take(found.at())));
            }
            if (found.marker() != null) {
                parts.add(Syntax.literal(input.take(found.marker().length())));
            }
        }
        return new Syntax.Sequence(parts);
    }

    /** {@code call}, or if {@code parallel} several of them with {@code between} in between. */
    static Syntax calls(Syntax call, Syntax between, boolean parallel) {
        return parallel ? Syntax.sequence(call, Syntax.repeat(Syntax.sequence(between, call), 0, MOST - 1)) : call;
    }

    /** {@code {"name": NAME, "arguments": ARGUMENTS}}. */
    static Syntax object(CallArguments arguments, String name, String parameters) {
        return Syntax.sequence(
                Syntax.literal(
                        "{\"" + name + "\": " + JsonText.quoted(arguments.name()) + ", \"" + parameters + "\": "),
                arguments.json(),
                Syntax.literal("}"));
    }
}
