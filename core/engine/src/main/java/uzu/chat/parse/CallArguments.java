package uzu.chat.parse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import uzu.ToolDeclaration;
import uzu.grammar.Syntax;

/** What the arguments of a tool may be, in the spellings that formats use. */
final class CallArguments {
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
        List<Parameter> parameters = new ArrayList<>();
        if (!(JsonText.parse(tool.parameters()) instanceof ObjectNode root)) {
            return parameters;
        }
        Set<String> required = new HashSet<>();
        root.path("required").valueStream().forEach(name -> required.add(name.asString()));
        root.path("properties").properties().forEach(entry -> {
            JsonNode schema = entry.getValue();
            ValueType type = ValueType.of(schema, root);
            parameters.add(new Parameter(
                    entry.getKey(), constrained && required.contains(entry.getKey()), resolvable(schema, root), type));
        });
        return parameters;
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
