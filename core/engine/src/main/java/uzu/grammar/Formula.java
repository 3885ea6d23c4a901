package uzu.grammar;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A statement about a JSON value: what schemas say, joined by logic. Values with equality. */
sealed interface Formula {
    Formula TRUE = new Every(Set.of());
    Formula FALSE = new Some(Set.of());

    /** What a schema says. */
    record Says(SchemaPlace place) implements Formula {}

    /** Equal to a value. */
    record Is(JsonNode value) implements Formula {}

    record Every(Set<Formula> parts) implements Formula {}

    record Some(Set<Formula> parts) implements Formula {}

    record Not(Formula body) implements Formula {}

    static Formula every(List<Formula> parts) {
        Set<Formula> flat = new LinkedHashSet<>();
        for (Formula part : parts) {
            if (part.equals(FALSE)) {
                return FALSE;
            }
            if (part instanceof Every every) {
                flat.addAll(every.parts);
            } else {
                flat.add(part);
            }
        }
        return flat.isEmpty() ? TRUE : flat.size() == 1 ? flat.iterator().next() : new Every(flat);
    }

    static Formula some(List<Formula> parts) {
        Set<Formula> flat = new LinkedHashSet<>();
        for (Formula part : parts) {
            if (part.equals(TRUE)) {
                return TRUE;
            }
            if (part instanceof Some some) {
                flat.addAll(some.parts);
            } else {
                flat.add(part);
            }
        }
        return flat.isEmpty() ? FALSE : flat.size() == 1 ? flat.iterator().next() : new Some(flat);
    }

    static Formula not(Formula body) {
        return body instanceof Not not
                ? not.body
                : body.equals(TRUE) ? FALSE : body.equals(FALSE) ? TRUE : new Not(body);
    }
}
