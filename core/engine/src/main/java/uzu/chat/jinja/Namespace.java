package uzu.chat.jinja;

import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code namespace(…)} makes: the one value whose fields a template may set. */
final class Namespace {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    Map<String, Object> fields() {
        return fields;
    }
}
