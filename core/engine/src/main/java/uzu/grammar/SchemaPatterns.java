package uzu.grammar;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * The languages of expressions and formats, and automata of languages, each made once for all grammars of a model: their
 * frames are equal then, and so are what is remembered of these. For several threads.
 */
final class SchemaPatterns {
    /** All is forgotten when there are more. */
    private static final int MOST = 64;

    private record Followed(Rx language, boolean whole) {}

    private final Map<String, Rx> known = new ConcurrentHashMap<>();
    private final Map<Followed, Optional<Automaton>> automata = new ConcurrentHashMap<>();

    /** As {@link Automaton#of(List, boolean)} without languages tracked along. */
    @Nullable Automaton automaton(Rx language, boolean whole) {
        if (automata.size() > MOST) {
            automata.clear();
        }
        return automata.computeIfAbsent(
                        new Followed(language, whole),
                        each -> Optional.ofNullable(Automaton.of(List.of(language), whole)))
                .orElse(null);
    }

    /** The texts in which an expression is found. */
    Rx search(String expression) {
        if (known.size() > MOST) {
            known.clear();
        }
        return known.computeIfAbsent("pattern " + expression, each -> {
            try {
                return RegularLanguage.of(RegexSyntax.search(expression));
            } catch (UzuException.GrammarUnsupported e) {
                throw new Unsupported(String.valueOf(e.getMessage()));
            }
        });
    }

    /** Strings of a format, and every value that is no string; maybe not all strings that some call so. */
    Statement format(String name) {
        Syntax format = Formats.named(name);
        if (format == null) {
            throw new Unsupported("the format \"" + name + "\" isn't known");
        }
        Rx language = known.computeIfAbsent("format " + name, each -> RegularLanguage.of(format));
        return Statement.ifText(TextRule.of(language)).inexact();
    }
}
