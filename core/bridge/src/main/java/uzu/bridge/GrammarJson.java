package uzu.bridge;

import tools.jackson.databind.JsonNode;
import uzu.Grammar;
import uzu.PropertyOrder;

/** Grammars: {@code "json_any"}, or an object with a type. */
final class GrammarJson {
    private GrammarJson() {}

    static Grammar grammar(JsonNode node) {
        if (node.isString()) {
            if (node.stringValue().equals("json_any")) {
                return new Grammar.JsonAny();
            }
            throw Fields.wrong("grammar", "\"json_any\" or an object with a type", node);
        }
        Fields fields = new Fields("grammar", node, "type", "schema", "pattern", "text", "values", "property_order");
        return switch (fields.needText("type")) {
            case "json_any" -> new Grammar.JsonAny();
            case "json_schema" -> schema(fields);
            case "regex" -> new Grammar.Regex(fields.needText("pattern"));
            case "ebnf" -> new Grammar.Ebnf(fields.needText("text"));
            case "choice" -> new Grammar.Choice(ConfigJson.texts("grammar.values", fields.need("values")));
            default ->
                throw Fields.wrong("grammar.type", "json_schema, json_any, regex, ebnf or choice", fields.need("type"));
        };
    }

    private static Grammar schema(Fields fields) {
        Grammar.JsonSchema grammar = new Grammar.JsonSchema(schema(fields.need("schema")));
        PropertyOrder order = fields.choice("property_order", PropertyOrder.class);
        return order == null ? grammar : grammar.withPropertyOrder(order);
    }

    /** The schema itself, or its text: numbers too large for a JSON reader come through only as text. */
    private static String schema(JsonNode node) {
        if (node.isString()) {
            return node.stringValue();
        }
        if (!node.isObject() && !node.isBoolean()) {
            throw Fields.wrong("grammar.schema", "a JSON schema, as it is or as text", node);
        }
        return node.toString();
    }
}
