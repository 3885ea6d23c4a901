package uzu.grammar;

import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What a syntax means, by trying: slow, and for short texts. */
final class SyntaxMatcher {
    private final String text;
    private final Map<String, Syntax> rules = new HashMap<>();
    private final Map<Syntax, Map<Integer, BitSet>> known = new IdentityHashMap<>();

    private SyntaxMatcher(String text) {
        this.text = text;
    }

    static boolean accepts(Syntax syntax, String text) {
        return new SyntaxMatcher(text).ends(syntax, 0).get(text.length());
    }

    /** Where a text of the syntax that begins at {@code from} may end. */
    private BitSet ends(Syntax syntax, int from) {
        Map<Integer, BitSet> ofSyntax = known.computeIfAbsent(syntax, each -> new HashMap<>());
        BitSet found = ofSyntax.get(from);
        if (found == null) {
            found = find(syntax, from);
            ofSyntax.put(from, found);
        }
        return found;
    }

    private BitSet find(Syntax syntax, int from) {
        BitSet ends = new BitSet();
        switch (syntax) {
            case Syntax.Literal(String literal) -> {
                if (text.startsWith(literal, from)) {
                    ends.set(from + literal.length());
                }
            }
            case Syntax.Characters(CodePoints set) -> {
                if (from < text.length() && set.contains(text.codePointAt(from))) {
                    ends.set(from + Character.charCount(text.codePointAt(from)));
                }
            }
            case Syntax.Sequence(List<Syntax> parts) -> {
                ends.set(from);
                for (Syntax part : parts) {
                    ends = after(ends, part);
                }
            }
            case Syntax.Choice(List<Syntax> branches) -> {
                for (Syntax branch : branches) {
                    ends.or(ends(branch, from));
                }
            }
            case Syntax.Repeat(Syntax body, int min, int max) -> {
                BitSet at = new BitSet();
                at.set(from);
                // what a text's length allows, and then some for what is empty
                for (int times = 0; times <= Math.min(max, Math.max(min, text.length() + 1)); times++) {
                    if (times >= min) {
                        ends.or(at);
                    }
                    at = after(at, body);
                }
            }
            case Syntax.Both(Syntax first, Syntax second) -> {
                ends.or(ends(first, from));
                ends.and(ends(second, from));
            }
            case Syntax.Except(Syntax first, Syntax second) -> {
                ends.or(ends(first, from));
                ends.andNot(ends(second, from));
            }
            case Syntax.Rules(Map<String, Syntax> named, Syntax start) -> {
                rules.putAll(named);
                ends.or(ends(start, from));
            }
            case Syntax.Reference(String rule) -> ends.or(ends(rules.get(rule), from));
            default -> throw new IllegalArgumentException(syntax.toString());
        }
        return ends;
    }

    private BitSet after(BitSet starts, Syntax part) {
        BitSet ends = new BitSet();
        starts.stream().forEach(start -> ends.or(ends(part, start)));
        return ends;
    }
}
