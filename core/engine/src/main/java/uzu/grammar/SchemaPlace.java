package uzu.grammar;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schema where it stands.
 *
 * @param base what its references are relative to
 * @param pointer from its document's root, for messages
 */
record SchemaPlace(JsonNode schema, URI base, String pointer, Syntax.Draft draft) {
    /** The subschema under a keyword, and maybe a name or an index. */
    SchemaPlace at(JsonNode child, String... path) {
        StringBuilder longer = new StringBuilder(pointer);
        for (String step : path) {
            longer.append('/').append(step.replace("~", "~0").replace("/", "~1"));
        }
        return new SchemaPlace(child, base, longer.toString(), draft);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SchemaPlace place && schema == place.schema;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(schema);
    }
}
