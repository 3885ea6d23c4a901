package uzu.chat.parse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import uzu.ToolDeclaration;
import uzu.grammar.Syntax;

/** What the arguments of a tool may be, in the spellings that formats use. */
final class CallArguments {
    private static final int MOST_REFERENCES = 16;

    private static final Syntax ANY_OBJECT = Syntax.jsonSchema("{\"type\": \"object\"}");

    /**
     * A parameter.
     *
     * @param schema JSON schema of its value, with the definitions it may refer to
     */
    record Parameter(String name, boolean required, JsonNode schema, ValueType type) {}

    private final ToolDeclaration tool;
    private final boolean constrained;

    /** @param constrained whether the tool's schema is enforced, not only the form of a call */
    CallArguments(ToolDeclaration tool, boolean constrained) {
        this.tool = tool;
        this.constrained = constrained;
    }

    String name() {
        return tool.name();
    }

    /** A JSON object. */
    Syntax json() {
        if (!constrained || !(JsonText.parse(tool.parameters()) instanceof ObjectNode schema)) {
            return ANY_OBJECT;
        }
        if (!schema.has("type") && !schema.has("$ref")) {
            schema.put("type", "object");
        }
        return Syntax.jsonSchema(schema.toString());
    }

    /** The schema's properties, in its order. */
    List<Parameter> parameters() {
        return root() instanceof ObjectNode root ? properties(root) : List.of();
    }

    private @Nullable JsonNode root() {
        return JsonText.parse(tool.parameters());
    }

    /** The properties of an object's schema within that of the arguments. */
    List<Parameter> properties(JsonNode schema) {
        Set<String> required = new HashSet<>();
        schema.path("required").valueStream().forEach(name -> required.add(name.asString()));
        List<Parameter> parameters = new ArrayList<>();
        schema.path("properties")
                .properties()
                .forEach(entry ->
                        parameters.add(nested(entry.getKey(), required.contains(entry.getKey()), entry.getValue())));
        return parameters;
    }

    /** What is called so in a part of the schema. */
    Parameter nested(String name, boolean required, JsonNode schema) {
        JsonNode root = root();
        JsonNode whole = root instanceof ObjectNode object ? resolvable(schema, object) : schema;
        return new Parameter(name, constrained && required, whole, ValueType.of(schema, root));
    }

    /** The schema that a reference is to; others as they are. */
    JsonNode resolved(JsonNode schema) {
        JsonNode target = resolved(schema, root());
        return target == null ? schema : target;
    }

    static @Nullable JsonNode resolved(@Nullable JsonNode schema, @Nullable JsonNode root) {
        JsonNode now = schema;
        for (int i = 0; i < MOST_REFERENCES && now != null && root != null; i++) {
            String reference = now.path("$ref").asString("");
            if (!reference.startsWith("#/") || root.at(reference.substring(1)).isMissingNode()) {
                return now;
            }
            now = root.at(reference.substring(1));
        }
        return now;
    }

    /** The schema with the definitions of the whole, to which its references point. */
    private static JsonNode resolvable(JsonNode schema, ObjectNode root) {
        if (!(schema instanceof ObjectNode own)) {
            return schema;
        }
        ObjectNode whole = own.deepCopy();
        for (String definitions : new String[] {"$defs", "definitions"}) {
            if (root.has(definitions) && !whole.has(definitions)) {
                whole.set(definitions, root.get(definitions));
            }
        }
        return whole;
    }

    /** A parameter's value as JSON. */
    Syntax json(Parameter parameter) {
        return constrained ? Syntax.jsonSchema(parameter.schema.toString()) : Syntax.json();
    }

    /** A parameter's value as plain text up to {@code close}, which is not part of it. */
    Syntax text(Parameter parameter, String close) {
        JsonNode values = parameter.schema.path("enum");
        if (constrained && values.isArray()) {
            return new Syntax.Choice(values.valueStream()
                    .map(value -> Syntax.literal(value.isString() ? value.asString() : value.toString()))
                    .toList());
        }
        if (parameter.type.isText()) {
            return Syntax.without(close);
        }
        return parameter.type.mayBeText() ? Syntax.choice(Syntax.without(close), json(parameter)) : json(parameter);
    }

    /** {@code entries} of the parameters with commas between them, required ones first. */
    static Syntax commas(List<Parameter> parameters, List<Syntax> entries, String comma) {
        List<Syntax> required = new ArrayList<>();
        List<Syntax> optional = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            (parameters.get(i).required ? required : optional).add(entries.get(i));
        }
        if (!required.isEmpty()) {
            List<Syntax> parts = new ArrayList<>();
            for (Syntax entry : required) {
                if (!parts.isEmpty()) {
                    parts.add(Syntax.literal(comma));
                }
                parts.add(entry);
            }
            optional.forEach(entry -> parts.add(Syntax.optional(Syntax.sequence(Syntax.literal(comma), entry))));
            return new Syntax.Sequence(parts);
        }
        List<Syntax> starts = new ArrayList<>();
        for (int first = 0; first < optional.size(); first++) {
            List<Syntax> parts = new ArrayList<>();
            parts.add(optional.get(first));
            for (Syntax later : optional.subList(first + 1, optional.size())) {
                parts.add(Syntax.optional(Syntax.sequence(Syntax.literal(comma), later)));
            }
            starts.add(new Syntax.Sequence(parts));
        }
        return Syntax.optional(new Syntax.Choice(starts));
    }
}
