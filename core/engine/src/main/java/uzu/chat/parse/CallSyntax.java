package uzu.chat.parse;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import uzu.grammar.Syntax;

/** Pieces that the grammars of several formats are made of. */
final class CallSyntax {
    private CallSyntax() {}

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
        return parallel
                ? Syntax.sequence(call, Syntax.repeat(Syntax.sequence(between, call), 0, Syntax.UNBOUNDED))
                : call;
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
