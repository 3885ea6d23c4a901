package uzu.grammar;

import java.util.HashMap;
import java.util.Map;
import uzu.UzuException;

/** The languages of a schema's expressions, each made once. */
final class SchemaPatterns {
    private final Map<String, Rx> known = new HashMap<>();

    /** The texts in which an expression is found. */
    Rx search(String expression) {
        return known.computeIfAbsent(expression, each -> {
            try {
                return RegularLanguage.of(RegexSyntax.search(each));
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
