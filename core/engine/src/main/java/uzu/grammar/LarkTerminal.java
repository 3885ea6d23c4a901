package uzu.grammar;

import java.util.ArrayList;
import java.util.List;
import uzu.UzuException;

/** A string of a Lark grammar, {@code "…"} or {@code "…"i}. */
record LarkTerminal(String text, boolean ignoresCase) {
    static LarkTerminal string(EbnfSource source) {
        int from = source.position();
        source.expect("\"");
        StringBuilder text = new StringBuilder();
        while (!source.eat("\"")) {
            int c = source.next();
            if (c == '\n') {
                throw source.fault("a string isn't closed on its line", from);
            }
            text.appendCodePoint(c == '\\' ? escape(source) : c);
        }
        if (text.isEmpty()) {
            throw source.fault("a string is empty", from);
        }
        boolean ignoresCase = source.sees("i") && source.name("").equals("i");
        return new LarkTerminal(text.toString(), ignoresCase);
    }

    private static int escape(EbnfSource source) {
        int from = source.position() - 1;
        int c = source.next();
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'f' -> '\f';
            case 'v' -> 0x0B;
            case '0' -> 0;
            case 'x' -> source.hex(2);
            case 'u' -> source.hex(4);
            case 'U' -> source.hex(8);
            case '\\', '"', '\'', '/' -> c;
            default -> throw source.fault("an escape is unknown", from);
        };
    }

    Syntax syntax() {
        if (!ignoresCase) {
            return new Syntax.Literal(text);
        }
        List<Syntax> characters = new ArrayList<>();
        text.codePoints()
                .forEach(
                        c -> characters.add(new Syntax.Characters(UnicodeProperties.closedOverCase(CodePoints.of(c)))));
        return new Syntax.Sequence(characters);
    }

    /** {@code /…/} with flags, of which assertions are refused: what they see ends with the terminal. */
    static Syntax expression(EbnfSource source) {
        int from = source.position();
        source.expect("/");
        StringBuilder expression = new StringBuilder();
        boolean inClass = false;
        while (inClass || !source.sees("/")) {
            int c = source.next();
            if (c == '\n') {
                throw source.fault("an expression isn't closed on its line", from);
            }
            inClass = c == '[' || inClass && c != ']';
            expression.appendCodePoint(c);
            if (c == '\\') {
                expression.appendCodePoint(source.next());
            }
        }
        source.expect("/");
        String flags = source.name("");
        // u is how characters are read anyway; m is about anchors, which there are none of
        String known = flags.replace("u", "").replace("m", "");
        if (!known.matches("[is]*")) {
            throw source.fault("the flags " + flags + " of an expression aren't known", from);
        }
        String whole = known.isEmpty() ? expression.toString() : "(?" + known + ":" + expression + ")";
        try {
            return RegexSyntax.part(whole);
        } catch (UzuException.GrammarUnsupported fault) {
            throw source.fault(String.valueOf(fault.getMessage()), from);
        }
    }
}
