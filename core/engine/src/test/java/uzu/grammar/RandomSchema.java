package uzu.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Schemas of draft 2020-12 with the keywords that programs use, put together at random; the same for the same numbers. */
record RandomSchema(Random random) {
    private static final List<String> NAMES =
            List.of("a", "b", "ab", "id", "näme", "x y", "q\"", "value", "type", "\u00e9\ud83d\ude80");
    private static final List<String> TEXTS =
            List.of("", "a", "red", "green", "grün", "a\"b", "a\\b", "\n", "\ud83d\ude80x", "rede");
    private static final List<String> PATTERNS = List.of(
            "^[a-z]{2,5}$",
            "[0-9]",
            "^(foo|bar)+$",
            "^[^a]*$",
            "a.c",
            "^\\d{3}-\\d{4}$",
            "^[A-Z][a-z]*( [A-Z][a-z]*)?$",
            "^(?!no)[a-z]+$",
            "^$|^y",
            "^[\\w.]{1,64}$",
            "^(?=.*\\d)(?=.*[a-z]).{4,9}$");
    private static final List<String> FORMATS = List.of("date", "uuid", "ipv4", "date-time");

    String text() {
        ObjectNode root = schema(3);
        if (random.nextInt(3) == 0) {
            ObjectNode definitions = root.putObject("$defs");
            definitions.set("one", schema(2));
            definitions.set("node", node());
        } else {
            ObjectNode definitions = root.putObject("$defs");
            definitions.putObject("one").put("type", "boolean");
            definitions.set("node", node());
        }
        return root.toString();
    }

    private static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    private ObjectNode node() {
        ObjectNode node = object().put("type", "object");
        ObjectNode properties = node.putObject("properties");
        properties.set("value", schema(0));
        ObjectNode next = properties.putObject("next");
        if (random.nextBoolean()) {
            next.put("type", "array").put("maxItems", 2).putObject("items").put("$ref", "#/$defs/node");
        } else {
            ArrayNode any = next.putArray("anyOf");
            any.addObject().put("type", "null");
            any.addObject().put("$ref", "#/$defs/node");
        }
        node.putArray("required").add("value");
        return node;
    }

    private ObjectNode schema(int depth) {
        return switch (random.nextInt(depth > 0 ? 16 : 7)) {
            case 0, 1 -> string();
            case 2, 3 -> number();
            case 4 -> random.nextBoolean() ? object().put("type", "boolean") : values();
            case 5 -> object().put("$ref", random.nextBoolean() ? "#/$defs/one" : "#/$defs/node");
            case 6 -> values();
            case 7, 8, 9, 10 -> objects(depth - 1);
            case 11, 12 -> array(depth - 1);
            case 13 -> several("anyOf", depth - 1);
            case 14 -> random.nextBoolean() ? several("allOf", 0) : tagged(depth - 1);
            default -> other(depth - 1);
        };
    }

    private ObjectNode string() {
        ObjectNode string = object().put("type", "string");
        switch (random.nextInt(6)) {
            case 0 -> string.put("pattern", one(PATTERNS));
            case 1 -> string.put("format", one(FORMATS));
            case 2 -> string.put("pattern", one(PATTERNS)).put("maxLength", 8 + random.nextInt(100));
            case 3 -> string.put("minLength", random.nextInt(20)).put("maxLength", 20 + random.nextInt(100_000));
            case 4 -> string.put("maxLength", random.nextInt(6));
            default -> {}
        }
        return string;
    }

    private ObjectNode number() {
        ObjectNode number = object().put("type", random.nextBoolean() ? "integer" : "number");
        if (random.nextInt(3) > 0) {
            double low = Math.round((random.nextDouble() - 0.5) * 2000) / 10.0;
            number.put(random.nextBoolean() ? "minimum" : "exclusiveMinimum", low);
            if (random.nextBoolean()) {
                number.put(random.nextBoolean() ? "maximum" : "exclusiveMaximum", low + 1.5 + random.nextInt(5000));
            }
        } else if (random.nextBoolean()) {
            number.put("maximum", random.nextInt(100_000) - 50_000);
        }
        if (random.nextInt(5) == 0) {
            number.put("type", "integer").put("multipleOf", 1 + random.nextInt(12));
        }
        return number;
    }

    private ObjectNode values() {
        ObjectNode schema = object();
        if (random.nextInt(4) == 0) {
            schema.putObject("const")
                    .put(one(NAMES), one(TEXTS))
                    .putArray("b")
                    .add(1)
                    .addNull()
                    .add(1.5);
            return schema;
        }
        ArrayNode values = schema.putArray("enum");
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            switch (random.nextInt(5)) {
                case 0 -> values.add(random.nextInt(100) - 50);
                case 1 -> values.addNull();
                case 2 -> values.add(random.nextInt(100) / 8.0);
                default -> values.add(one(TEXTS));
            }
        }
        return schema;
    }

    private ObjectNode objects(int depth) {
        ObjectNode schema = object().put("type", "object");
        List<String> names = new ArrayList<>();
        ObjectNode properties = schema.putObject("properties");
        for (int i = random.nextInt(5); i > 0; i--) {
            String name = one(NAMES);
            names.add(name);
            properties.set(name, schema(depth));
        }
        ArrayNode required = schema.putArray("required");
        names.stream().distinct().filter(name -> random.nextBoolean()).forEach(required::add);
        switch (random.nextInt(6)) {
            case 0, 1 -> schema.put("additionalProperties", false);
            case 2 -> schema.set("additionalProperties", schema(0));
            case 3 -> {
                schema.putObject("patternProperties").set(one(PATTERNS), schema(0));
                schema.put("additionalProperties", random.nextBoolean());
            }
            case 4 ->
                schema.putObject("propertyNames").put("pattern", "^[a-zä\"]").put("maxLength", 9);
            default -> {}
        }
        if (random.nextInt(4) == 0) {
            schema.put("maxProperties", 1 + required.size() + random.nextInt(4));
        }
        if (random.nextInt(5) == 0) {
            schema.put("minProperties", random.nextInt(3));
        }
        if (names.size() > 1 && random.nextInt(6) == 0) {
            schema.putObject("dependentRequired").putArray(names.get(0)).add(names.get(1));
        }
        return schema;
    }

    private ObjectNode array(int depth) {
        ObjectNode schema = object().put("type", "array");
        if (random.nextInt(3) == 0) {
            ArrayNode prefix = schema.putArray("prefixItems");
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                prefix.add(schema(depth));
            }
            if (random.nextBoolean()) {
                schema.put("items", false);
            }
        } else {
            schema.set("items", schema(depth));
            schema.put("minItems", random.nextInt(3));
        }
        if (random.nextBoolean()) {
            schema.put("maxItems", 3 + random.nextInt(4));
        }
        switch (random.nextInt(8)) {
            case 0 -> {
                schema.remove("prefixItems");
                schema.put("uniqueItems", true)
                        .putObject("items")
                        .putArray("enum")
                        .add("a")
                        .add("red")
                        .add(1)
                        .add(false);
            }
            case 1 -> {
                schema.set("contains", random.nextBoolean() ? string() : number());
                schema.put("minContains", random.nextInt(3));
                if (random.nextBoolean()) {
                    schema.put("maxContains", 2 + random.nextInt(2));
                }
            }
            default -> {}
        }
        return schema;
    }

    private ObjectNode several(String keyword, int depth) {
        ObjectNode schema = object();
        ArrayNode branches = schema.putArray(keyword);
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            branches.add(keyword.equals("allOf") ? (untyped()) : schema(depth));
        }
        return schema;
    }

    private ObjectNode untyped() {
        ObjectNode schema = random.nextBoolean() ? string() : number();
        if (!schema.has("multipleOf")) {
            schema.remove("type");
        }
        return schema;
    }

    private ObjectNode tagged(int depth) {
        ObjectNode schema = object();
        ArrayNode branches = schema.putArray("oneOf");
        for (int i = 0; i < 3; i++) {
            ObjectNode branch = branches.addObject().put("type", "object");
            ObjectNode properties = branch.putObject("properties");
            properties.putObject("type").put("const", TEXTS.get(i));
            properties.set("value", schema(depth));
            branch.putArray("required").add("type").add(random.nextBoolean() ? "value" : "type");
        }
        return schema;
    }

    private ObjectNode other(int depth) {
        ObjectNode schema = object();
        switch (random.nextInt(4)) {
            case 0 -> schema.set("not", values());
            case 1 -> {
                schema.set("if", object().put("type", "string"));
                schema.set("then", string());
                schema.set("else", schema(depth));
            }
            case 2 -> schema.putArray("type").add("string").add("null").add("integer");
            default -> {}
        }
        return schema;
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
