package uzu.grammar;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;

/** A schema's document and those that it refers to, with the places that have names in them. */
final class SchemaDocuments {
    private static final URI NAMELESS = URI.create("schema:/");
    private static final List<String> MAPS =
            List.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies");
    private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf", "prefixItems", "items");
    private static final List<String> SINGLES = List.of(
            "items",
            "additionalItems",
            "unevaluatedItems",
            "contains",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "not",
            "if",
            "then",
            "else",
            "contentSchema");

    private final JsonMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();
    private final Map<String, String> texts;
    private final Map<String, SchemaPlace> named = new HashMap<>();
    private final Map<String, Set<JsonNode>> dynamic = new HashMap<>();

    /** @param texts documents that may be referred to, by address */
    SchemaDocuments(Map<String, String> texts) {
        this.texts = texts;
    }

    /** @param draft as which it is read unless it says otherwise */
    SchemaPlace read(String text, Syntax.Draft draft) {
        return read(text, NAMELESS, draft);
    }

    private SchemaPlace read(String text, URI address, Syntax.Draft draft) {
        JsonNode root;
        try {
            root = json.readTree(text);
        } catch (JacksonException e) {
            throw new UzuException.InvalidArgument(
                    "the schema is no JSON: " + e.getOriginalMessage(), Map.of("field", "schema"), e);
        }
        if (!root.isObject() && !root.isBoolean()) {
            throw new UzuException.InvalidArgument(
                    "a schema is an object, true or false, not " + root.getNodeType(), Map.of("field", "schema"));
        }
        SchemaPlace place = new SchemaPlace(root, address, "#", draft(root, draft));
        named.put(address.toString(), place);
        return index(place);
    }

    private static Syntax.Draft draft(JsonNode schema, Syntax.Draft otherwise) {
        String says = schema.path("$schema").asString("");
        return says.contains("draft-07") || says.contains("draft-06") || says.contains("draft-04")
                ? Syntax.Draft.DRAFT_7
                : says.contains("2019-09") || says.contains("2020-12") ? Syntax.Draft.DRAFT_2020 : otherwise;
    }

    private SchemaPlace index(SchemaPlace given) {
        SchemaPlace place = rebased(given);
        JsonNode schema = place.schema();
        if (!schema.isObject()) {
            return place;
        }
        if (!place.base().equals(given.base()) || place.pointer().equals("#")) {
            named.putIfAbsent(place.base().toString(), place);
        }
        for (String anchor : List.of("$anchor", "$dynamicAnchor")) {
            if (schema.path(anchor).isString()) {
                named.putIfAbsent(place.base() + "#" + schema.path(anchor).asString(), place);
            }
        }
        if (schema.path("$dynamicAnchor").isString()) {
            dynamic.computeIfAbsent(schema.path("$dynamicAnchor").asString(), each -> new HashSet<>())
                    .add(schema);
        }
        String id = schema.path("$id").asString("");
        if (place.draft() == Syntax.Draft.DRAFT_7 && id.startsWith("#") && id.length() > 1) {
            named.putIfAbsent(place.base() + id, place);
        }
        for (String keyword : MAPS) {
            schema.path(keyword)
                    .properties()
                    .forEach(each -> indexChild(place, each.getValue(), keyword, each.getKey()));
        }
        for (String keyword : LISTS) {
            JsonNode list = schema.path(keyword);
            for (int i = 0; list.isArray() && i < list.size(); i++) {
                indexChild(place, list.get(i), keyword, Integer.toString(i));
            }
        }
        for (String keyword : SINGLES) {
            if (schema.has(keyword)) {
                indexChild(place, schema.get(keyword), keyword);
            }
        }
        return place;
    }

    private void indexChild(SchemaPlace place, JsonNode child, String... path) {
        if (child.isObject()) {
            index(place.at(child, path));
        }
    }

    /** The same place, with the base and version that its own schema names. */
    SchemaPlace rebased(SchemaPlace place) {
        JsonNode schema = place.schema();
        if (!schema.isObject()) {
            return place;
        }
        Syntax.Draft draft = draft(schema, place.draft());
        URI base = place.base();
        boolean ignored = draft == Syntax.Draft.DRAFT_7 && schema.has("$ref");
        String id = schema.path("$id").asString("");
        if (!ignored && !id.isEmpty() && !id.startsWith("#")) {
            base = URI.create(withoutFragment(resolve(base, id)));
        }
        return new SchemaPlace(schema, base, place.pointer(), draft);
    }

    private static String resolve(URI base, String reference) {
        if (reference.startsWith("#")) {
            return withoutFragment(base.toString()) + reference;
        }
        try {
            return base.resolve(reference).toString();
        } catch (IllegalArgumentException e) {
            throw new Unsupported("\"" + reference + "\" is no address");
        }
    }

    private static String withoutFragment(String address) {
        int at = address.indexOf('#');
        return at < 0 ? address : address.substring(0, at);
    }

    /** What {@code reference}, standing at {@code place}, refers to. */
    SchemaPlace find(SchemaPlace place, String reference) {
        String whole = resolve(place.base(), reference);
        String address = withoutFragment(whole);
        String fragment = whole.length() > address.length() + 1 ? decoded(whole.substring(address.length() + 1)) : "";
        SchemaPlace root = document(address, place.draft());
        if (root == null) {
            throw new Unsupported("there is no document " + address);
        }
        if (fragment.isEmpty()) {
            return root;
        }
        SchemaPlace found = fragment.startsWith("/") ? walk(root, fragment) : named.get(address + "#" + fragment);
        if (found == null) {
            throw new Unsupported("\"" + reference + "\" leads nowhere");
        }
        return found;
    }

    private static String decoded(String fragment) {
        return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private @Nullable SchemaPlace document(String address, Syntax.Draft draft) {
        SchemaPlace known = named.get(address);
        if (known == null && texts.get(address) != null) {
            known = read(texts.get(address), URI.create(address), draft);
        }
        return known;
    }

    private @Nullable SchemaPlace walk(SchemaPlace root, String pointer) {
        SchemaPlace place = root;
        JsonNode node = root.schema();
        StringBuilder path = new StringBuilder(root.pointer());
        for (String step : pointer.substring(1).split("/", -1)) {
            String name = step.replace("~1", "/").replace("~0", "~");
            node = node.isArray() && name.matches("[0-9]{1,8}") ? node.path(Integer.parseInt(name)) : node.path(name);
            path.append('/').append(step);
            place = rebased(new SchemaPlace(node, place.base(), path.toString(), place.draft()));
        }
        return node.isObject() || node.isBoolean() ? place : null;
    }

    /** Whether a dynamic reference to the anchor can only mean one place. */
    boolean isUnique(String anchor) {
        return dynamic.getOrDefault(anchor, Set.of()).size() <= 1;
    }
}
