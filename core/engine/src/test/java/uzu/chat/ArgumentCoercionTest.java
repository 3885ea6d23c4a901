package uzu.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ArgumentCoercionTest {
    @Test
    void textBecomesWhatTheSchemaWants() {
        assertEquals("3", coerced("\"3\"", "{'type': 'integer'}"));
        assertEquals("3", coerced("\" 3.0 \"", "{'type': 'integer'}"));
        assertEquals("-0.5", coerced("\"-0.5\"", "{'type': 'number'}"));
        assertEquals("true", coerced("\"true\"", "{'type': 'boolean'}"));
        assertEquals("false", coerced("\"False\"", "{'type': 'boolean'}"));
        assertEquals("{\"a\":1}", coerced("\"{\\\"a\\\": 1}\"", "{'type': 'object'}"));
        assertEquals("[1]", coerced("\"[1]\"", "{'type': 'array'}"));
    }

    @Test
    void numbersAndTruthValuesBecomeText() {
        assertEquals("\"8001\"", coerced("8001", "{'type': 'string'}"));
        assertEquals("\"1.50\"", coerced("1.50", "{'type': 'string'}"));
        assertEquals("\"true\"", coerced("true", "{'type': 'string'}"));
    }

    @Test
    void aWholeNumberIsAnInteger() {
        assertEquals("3", coerced("3.0", "{'type': 'integer'}"));
        assertEquals("3.0", coerced("3.0", "{'type': 'number'}"));
        assertEquals("3.5", coerced("3.5", "{'type': 'integer'}"));
    }

    @Test
    void whatCantBeTurnedStays() {
        assertEquals("\"three\"", coerced("\"three\"", "{'type': 'integer'}"));
        assertEquals("\"1e999999999\"", coerced("\"1e999999999\"", "{'type': 'integer'}"));
        assertEquals("[3]", coerced("[3]", "{'type': 'integer'}"));
        assertEquals("{\"a\":1}", coerced("{\"a\":1}", "{'type': 'string'}"));
        assertEquals("\"3\"", coerced("\"3\"", "{}"));
        assertEquals("\"3\"", coerced("\"3\"", "true"));
    }

    @Test
    void throughObjectsListsAndReferences() {
        String schema = "{'type': 'object', 'properties': {'days': {'$ref': '#/$defs/day'},"
                + " 'all': {'type': 'array', 'items': {'$ref': '#/$defs/day'}}},"
                + " 'additionalProperties': {'type': 'boolean'}, '$defs': {'day': {'type': 'integer'}}}";
        assertEquals(
                "{\"days\":3,\"all\":[1,2],\"new\":true}",
                coerced("{\"days\": \"3\", \"all\": [\"1\", 2], \"new\": \"true\"}", schema));
        String tuple = "{'type': 'array', 'prefixItems': [{'type': 'integer'}], 'items': {'type': 'string'}}";
        assertEquals("[1,\"2\"]", coerced("[\"1\", 2]", tuple));
    }

    @Test
    void nullableValues() {
        assertEquals("3", coerced("\"3\"", "{'type': ['integer', 'null']}"));
        assertEquals("null", coerced("\"null\"", "{'type': ['integer', 'null']}"));
        assertEquals("\"null\"", coerced("\"null\"", "{'type': ['string', 'null']}"));
        assertEquals("3", coerced("\"3\"", "{'anyOf': [{'type': 'integer'}, {'type': 'null'}]}"));
        assertEquals("null", coerced("null", "{'anyOf': [{'type': 'integer'}, {'type': 'null'}]}"));
        assertEquals("\"3\"", coerced("\"3\"", "{'anyOf': [{'type': 'integer'}, {'type': 'string'}]}"));
    }

    @Test
    void nullForWhatMayBeLeftOutIsLeftOut() {
        String schema = "{'type': 'object', 'properties': {'a': {'type': 'string'}, 'b': {'type': 'string'}},"
                + " 'required': ['a']}";
        assertEquals("{\"a\":\"x\"}", coerced("{\"a\": \"x\", \"b\": null}", schema));
        assertEquals("{\"a\":null}", coerced("{\"a\": null}", schema));
    }

    @Test
    void valuesListedAreFoundBySpelling() {
        assertEquals("2", coerced("\"2\"", "{'enum': [1, 2]}"));
        assertEquals("\"2\"", coerced("2", "{'enum': ['1', '2']}"));
        assertEquals("\"3\"", coerced("\"3\"", "{'enum': [1, 2]}"));
    }

    @Test
    void schemasThatReferToThemselvesEnd() {
        assertEquals("\"3\"", coerced("\"3\"", "{'$ref': '#'}"));
        String tree = "{'type': 'object', 'properties': {'value': {'type': 'integer'}, 'next': {'$ref': '#'}}}";
        assertEquals(
                "{\"value\":1,\"next\":{\"value\":2}}",
                coerced("{\"value\": \"1\", \"next\": {\"value\": \"2\"}}", tree));
        assertEquals("\"3\"", coerced("\"3\"", "{'allOf': [{'$ref': '#'}]}"));
    }

    @Test
    void problemsSayWhereTheyAre() {
        String schema = "{'type': 'object', 'properties': {'city': {'type': 'string', 'minLength': 1, 'pattern': '^Z'},"
                + " 'days': {'type': 'integer', 'minimum': 1, 'exclusiveMaximum': 15},"
                + " 'all': {'type': 'array', 'items': {'enum': ['a', 'b']}, 'maxItems': 2}},"
                + " 'required': ['city'], 'additionalProperties': false}";
        assertNull(problem("{\"city\": \"Zug\", \"days\": 14, \"all\": [\"a\"]}", schema));
        assertEquals("city is missing", problem("{}", schema));
        assertEquals("city must be of type string, not array", problem("{\"city\": []}", schema));
        assertEquals("city is too short", problem("{\"city\": \"\"}", schema));
        assertEquals("city must match ^Z", problem("{\"city\": \"Bern\"}", schema));
        assertEquals("days is too small: 0", problem("{\"city\": \"Zug\", \"days\": 0}", schema));
        assertEquals("days is too large: 15", problem("{\"city\": \"Zug\", \"days\": 15}", schema));
        assertEquals(
                "all[1] must be one of [\"a\",\"b\"], not \"c\"",
                problem("{\"city\": \"Zug\", \"all\": [\"a\", \"c\"]}", schema));
        assertEquals("all has too many items", problem("{\"city\": \"Zug\", \"all\": [\"a\", \"a\", \"a\"]}", schema));
        assertEquals("town is no parameter", problem("{\"city\": \"Zug\", \"town\": 1}", schema));
        assertEquals("the arguments must be of type object, not array", problem("[]", schema));
    }

    private static String coerced(String value, String schema) {
        return new ArgumentCoercion(parse(schema)).coerce(JsonText.parse(value)).toString();
    }

    private static String problem(String value, String schema) {
        return new SchemaCheck(parse(schema)).problem(JsonText.parse(value));
    }

    private static JsonNode parse(String schema) {
        return JsonText.parse(schema.replace('\'', '"'));
    }
}
