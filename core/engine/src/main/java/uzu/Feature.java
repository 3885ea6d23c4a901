package uzu;

import java.util.List;
import java.util.Map;

/**
 * Something that a text is asked for, and the answers that are expected.
 *
 * @param name what it is: {@code sentiment}
 * @param values at least one, none of them empty
 */
public record Feature(String name, List<String> values) {
    public Feature {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new UzuException.InvalidArgument("values of a feature: at least one", Map.of("field", "values"));
        }
        if (values.contains("")) {
            throw new UzuException.InvalidArgument(
                    "values of a feature: an empty text is none", Map.of("field", "values"));
        }
    }
}
