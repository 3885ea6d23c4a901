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

    Statement format(String name) {
        throw new Unsupported("there is no format \"" + name + "\"");
    }
}
