package uzu.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the context-free part of Lark's grammars. A text is followed character by character, without a lexer: between
 * terminals may stand what {@code %ignore} names, and a terminal ends wherever it can, not only at its longest.
 */
final class Lark {
    private static final int MOST_DEPTH = 200;
    private static final String IGNORED = "%ignore";

    private final EbnfSource source;
    private final EbnfRules rules;
    private final List<Syntax> ignored = new ArrayList<>();
    private boolean ignores;
    private boolean inTerminal;
    private int depth;

    private Lark(EbnfSource source, boolean ignores) {
        this.source = source;
        this.ignores = ignores;
        rules = new EbnfRules(source);
    }

    static Syntax parse(String text) {
        boolean ignores = text.lines().anyMatch(line -> line.strip().startsWith(IGNORED));
        return new Lark(new EbnfSource(text, "//"), ignores).all();
    }

    private Syntax all() {
        for (source.skip(true); !source.atEnd(); source.skip(true)) {
            if (source.sees("%")) {
                directive();
            } else {
                rule();
            }
            source.skip(false);
            if (!source.atEnd() && source.peek() != '\n' && source.peek() != '\r') {
                throw source.fault("a line goes on with a sign that means nothing there", source.position());
            }
        }
        String start = rules.has("start") || !rules.has("root") ? "start" : "root";
        if (!ignores) {
            return rules.syntax(start);
        }
        rules.add(IGNORED, new Syntax.Repeat(new Syntax.Choice(ignored), 0, Syntax.UNBOUNDED), 0);
        // no rule can be named so
        rules.add("%start", new Syntax.Sequence(List.of(rules.reference(start, 0), rules.reference(IGNORED, 0))), 0);
        return rules.syntax("%start");
    }

    private void directive() {
        int from = source.position();
        if (source.eat("%import")) {
            imports();
        } else if (source.eat(IGNORED)) {
            source.skip(false);
            inTerminal = true;
            ignored.add(choice());
        } else {
            throw source.fault("only %import common and %ignore can be followed", from);
        }
    }

    private void imports() {
        source.skip(false);
        int from = source.position();
        String path = source.name(".");
        source.skip(false);
        if (path.equals("common") && source.eat("(")) {
            do {
                source.skip(true);
                int name = source.position();
                define(source.name(""), null, name);
                source.skip(true);
            } while (source.eat(","));
            source.expect(")");
        } else if (path.startsWith("common.")) {
            String alias = null;
            if (source.eat("->")) {
                source.skip(false);
                alias = source.name("");
            }
            define(path.substring("common.".length()), alias, from);
        } else {
            throw source.fault("only names of common can be imported", from);
        }
    }

    private void define(String name, @Nullable String alias, int from) {
        String expression = LarkCommon.EXPRESSIONS.get(name);
        if (expression == null) {
            throw source.fault("common has no " + name, from, Map.of("rule", name));
        }
        rules.add(Objects.requireNonNullElse(alias, name), RegexSyntax.whole(expression), from);
    }

    private void rule() {
        int from = source.position();
        // what a tree would look like
        source.eat("?");
        source.eat("!");
        String name = source.name("");
        if (name.isEmpty()) {
            throw source.fault("a rule's name is missing", from);
        }
        if (source.sees("{")) {
            throw source.fault("templates can't be followed", from, Map.of("rule", name));
        }
        if (source.eat(".")) {
            source.eat("-");
            source.number();
        }
        source.skip(false);
        source.expect(":");
        inTerminal = isTerminal(name);
        rules.add(name, choice(), from);
    }

    private static boolean isTerminal(String name) {
        String bare = name.replace("_", "");
        return !bare.isEmpty() && Character.isUpperCase(bare.charAt(0));
    }

    private Syntax choice() {
        List<Syntax> alternatives = new ArrayList<>();
        do {
            alternatives.add(sequence());
        } while (goesOn());
        return alternatives.size() == 1 ? alternatives.getFirst() : new Syntax.Choice(alternatives);
    }

    /** An alternative may stand on a line of its own. */
    private boolean goesOn() {
        int here = source.position();
        source.skip(true);
        if (source.eat("|")) {
            return true;
        }
        source.back(here);
        return false;
    }

    private Syntax sequence() {
        List<Syntax> parts = new ArrayList<>();
        while (true) {
            source.skip(depth > 0);
            int from = source.position();
            Syntax item = item(from);
            if (item == null) {
                break;
            }
            parts.add(counted(item, from));
        }
        if (source.eat("->")) {
            source.skip(false);
            source.name("");
        }
        return parts.size() == 1 ? parts.getFirst() : new Syntax.Sequence(parts);
    }

    private Syntax counted(Syntax item, int from) {
        if (source.eat("*")) {
            return new Syntax.Repeat(item, 0, Syntax.UNBOUNDED);
        }
        if (source.eat("+")) {
            return new Syntax.Repeat(item, 1, Syntax.UNBOUNDED);
        }
        if (source.eat("?")) {
            return new Syntax.Repeat(item, 0, 1);
        }
        int here = source.position();
        source.skip(false);
        if (!source.eat("~")) {
            source.back(here);
            return item;
        }
        source.skip(false);
        int min = source.number();
        int max = min;
        source.skip(false);
        if (source.eat("..")) {
            source.skip(false);
            max = source.number();
        }
        if (max < min) {
            throw source.fault("a count ends below its start", from);
        }
        return new Syntax.Repeat(item, min, max);
    }

    /** Null where none begins. */
    private @Nullable Syntax item(int from) {
        if (source.sees("\"")) {
            return separated(stringOrRange());
        }
        if (source.sees("/")) {
            return separated(LarkTerminal.expression(source));
        }
        if (source.eat("(")) {
            return grouped(")", from);
        }
        if (source.eat("[")) {
            return new Syntax.Repeat(grouped("]", from), 0, 1);
        }
        String name = source.name("");
        if (name.isEmpty()) {
            return null;
        }
        if (source.sees("{")) {
            throw source.fault("templates can't be followed", from, Map.of("rule", name));
        }
        boolean terminal = isTerminal(name);
        if (inTerminal && !terminal) {
            throw source.fault("a terminal names the rule " + name, from, Map.of("rule", name));
        }
        Syntax named = rules.reference(name, from);
        return terminal ? separated(named) : named;
    }

    /** With what may be ignored before a terminal of a rule. */
    private Syntax separated(Syntax terminal) {
        return ignores && !inTerminal
                ? new Syntax.Sequence(List.of(rules.reference(IGNORED, source.position()), terminal))
                : terminal;
    }

    private Syntax grouped(String end, int from) {
        if (++depth > MOST_DEPTH) {
            throw source.fault("groups are nested deeper than " + MOST_DEPTH, from);
        }
        Syntax inner = choice();
        source.skip(true);
        if (!source.eat(end)) {
            throw source.fault("a group isn't closed", from);
        }
        depth--;
        return inner;
    }

    private Syntax stringOrRange() {
        int from = source.position();
        LarkTerminal first = LarkTerminal.string(source);
        if (!source.eat("..")) {
            return first.syntax();
        }
        LarkTerminal last = LarkTerminal.string(source);
        if (first.text().codePointCount(0, first.text().length()) != 1
                || last.text().codePointCount(0, last.text().length()) != 1
                || last.text().codePointAt(0) < first.text().codePointAt(0)) {
            throw source.fault("a range isn't one of characters", from);
        }
        return new Syntax.Characters(
                CodePoints.range(first.text().codePointAt(0), last.text().codePointAt(0)));
    }
}
