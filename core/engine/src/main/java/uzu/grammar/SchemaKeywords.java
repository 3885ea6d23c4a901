package uzu.grammar;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/** What schemas say, keyword by keyword, as statements. For one use. */
final class SchemaKeywords {
    /** Of so many alternatives of an anyOf, also what two or more of them say together is looked at. */
    private static final int MOST_TOGETHER = 4;

    private final SchemaDocuments documents;
    private final boolean lenient;
    private final List<String> unenforced;
    private final SchemaPatterns patterns;
    private final Map<Formula, Statement> known = new HashMap<>();
    private final Set<Formula> open = new HashSet<>();
    /** How many keywords are around that a part of must not be left out. */
    private int strict;

    SchemaKeywords(SchemaDocuments documents, SchemaPatterns patterns, boolean lenient, List<String> unenforced) {
        this.documents = documents;
        this.patterns = patterns;
        this.lenient = lenient;
        this.unenforced = unenforced;
    }

    SchemaPatterns patterns() {
        return patterns;
    }

    Statement of(Formula formula) {
        Statement statement = known.get(formula);
        if (statement == null) {
            if (!open.add(formula)) {
                throw new Unsupported("it refers to itself without end");
            }
            try {
                statement = find(formula);
            } finally {
                open.remove(formula);
            }
            known.put(formula, statement);
        }
        return statement;
    }

    private Statement find(Formula formula) {
        return switch (formula) {
            case Formula.Says says -> ofSchema(says.place());
            case Formula.Is is -> ofValue(is.value());
            case Formula.Every every -> {
                Statement all = Statement.ANYTHING;
                for (Formula part : every.parts()) {
                    all = all.and(of(part));
                }
                yield all;
            }
            case Formula.Some some -> {
                Statement any = Statement.NOTHING;
                for (Formula part : some.parts()) {
                    any = any.or(of(part));
                }
                yield any;
            }
            case Formula.Not not -> of(not.body()).not();
        };
    }

    private Statement ofValue(JsonNode value) {
        if (value.isNull()) {
            return Statement.ofNull();
        }
        if (value.isBoolean()) {
            return Statement.ofBooleans(value.booleanValue(), !value.booleanValue());
        }
        if (value.isNumber()) {
            return Statement.ofNumbers(
                    NumberSpec.ANY.withOnly(Set.of(NumberSpec.canonical(NumberSpec.checked(value.decimalValue())))));
        }
        if (value.isString()) {
            return Statement.ofTexts(TextRule.only(Set.of(value.asString())));
        }
        if (value.isArray()) {
            List<Formula> items = new ArrayList<>();
            value.forEach(item -> items.add(new Formula.Is(item)));
            return Statement.ofArrays(
                    ArrayRule.items(items, Formula.TRUE, 0).and(ArrayRule.lengths(items.size(), items.size())));
        }
        Map<String, Formula> properties = new LinkedHashMap<>();
        value.properties().forEach(each -> properties.put(each.getKey(), new Formula.Is(each.getValue())));
        int size = properties.size();
        return Statement.ofObjects(ObjectRule.group(new ObjectRule.Group(properties, Map.of(), null, false))
                .and(ObjectRule.required(properties.keySet()))
                .and(ObjectRule.sizes(size, size)));
    }

    private Statement ofSchema(SchemaPlace given) {
        SchemaPlace place = documents.rebased(given);
        JsonNode schema = place.schema();
        if (schema.isBoolean()) {
            return schema.booleanValue() ? Statement.ANYTHING : Statement.NOTHING;
        }
        if (!schema.isObject()) {
            throw new Unsupported("a schema is an object, true or false, not " + schema);
        }
        Statement all = Statement.ANYTHING;
        if (place.draft() == Syntax.Draft.DRAFT_7 && schema.has("$ref")) {
            return and(all, place, "$ref", () -> reference(place, "$ref"));
        }
        for (String keyword : schema.propertyNames()) {
            all = and(all, place, keyword, () -> keyword(place, keyword, schema.get(keyword)));
        }
        return unevaluated(all, place);
    }

    private Statement and(Statement before, SchemaPlace place, String keyword, Supplier<Statement> says) {
        try {
            return before.and(says.get());
        } catch (Unsupported e) {
            return without(before, place, keyword, unsupported(place, keyword, e));
        } catch (UzuException.GrammarUnsupported e) {
            return without(before, place, keyword, e);
        }
    }

    private Statement without(Statement before, SchemaPlace place, String keyword, UzuException e) {
        if (!lenient || strict > 0) {
            throw e;
        }
        String what = keyword + " at " + place.pointer();
        if (!unenforced.contains(what)) {
            unenforced.add(what);
        }
        return before.inexact();
    }

    static UzuException unsupported(SchemaPlace place, String keyword, Unsupported e) {
        return new UzuException.GrammarUnsupported(
                keyword + " at " + place.pointer() + " can't be enforced: " + e.getMessage(),
                Map.of("keyword", keyword, "path", place.pointer()));
    }

    private Statement keyword(SchemaPlace place, String keyword, JsonNode value) {
        boolean draft7 = place.draft() == Syntax.Draft.DRAFT_7;
        return switch (keyword) {
            case "$ref" -> reference(place, keyword);
            case "$dynamicRef" -> {
                String anchor = value.asString("").replaceFirst("^[^#]*#", "");
                if (!documents.isUnique(anchor)) {
                    throw new Unsupported("what \"" + anchor + "\" means depends on where one comes from");
                }
                yield reference(place, keyword);
            }
            case "$recursiveRef" -> throw new Unsupported("it is of a version that isn't supported");
            case "type" -> type(value);
            case "enum" -> {
                List<Formula> values = new ArrayList<>();
                value.forEach(each -> values.add(new Formula.Is(each)));
                yield oneOfValues(values);
            }
            case "const" -> of(new Formula.Is(value));
            case "minimum" -> Statement.ifNumber(NumberSpec.ANY.withLow(number(value), false));
            case "exclusiveMinimum" -> Statement.ifNumber(NumberSpec.ANY.withLow(number(value), true));
            case "maximum" -> Statement.ifNumber(NumberSpec.ANY.withHigh(number(value), false));
            case "exclusiveMaximum" -> Statement.ifNumber(NumberSpec.ANY.withHigh(number(value), true));
            case "multipleOf" -> Statement.ifNumber(NumberSpec.ANY.withStep(number(value)));
            case "minLength" -> Statement.ifText(TextRule.lengths(count(value), Syntax.UNBOUNDED));
            case "maxLength" -> Statement.ifText(TextRule.lengths(0, count(value)));
            case "pattern" -> Statement.ifText(TextRule.of(patterns.search(value.asString())));
            case "format" -> patterns.format(value.asString());
            case "minItems" -> Statement.ifArray(ArrayRule.lengths(count(value), Syntax.UNBOUNDED));
            case "maxItems" -> Statement.ifArray(ArrayRule.lengths(0, count(value)));
            case "uniqueItems" -> value.asBoolean(false) ? Statement.ifArray(ArrayRule.distinct()) : Statement.ANYTHING;
            case "items", "prefixItems" -> items(place, keyword);
            case "contains" -> contains(place);
            case "properties" -> group(place);
            case "patternProperties", "additionalProperties" ->
                place.schema().has("properties")
                                || (keyword.equals("additionalProperties")
                                        && place.schema().has("patternProperties"))
                        ? Statement.ANYTHING
                        : group(place);
            case "required" -> Statement.ifObject(ObjectRule.required(names(value)));
            case "minProperties" -> Statement.ifObject(ObjectRule.sizes(count(value), Syntax.UNBOUNDED));
            case "maxProperties" -> Statement.ifObject(ObjectRule.sizes(0, count(value)));
            case "propertyNames" -> Statement.ifObject(ObjectRule.keys(says(place, value, keyword)));
            case "dependentRequired" -> dependents(value);
            case "dependentSchemas", "dependencies" -> dependencies(place, keyword, value);
            case "allOf" -> of(Formula.every(list(place, keyword)));
            case "anyOf" -> anyOf(place);
            case "oneOf" -> strictly(() -> oneOf(list(place, keyword)));
            case "not" -> strictly(() -> of(Formula.not(says(place, value, keyword))));
            case "if" -> strictly(() -> ifThenElse(place));
            case "minContains", "maxContains", "additionalItems", "then", "else" -> Statement.ANYTHING;
            case "unevaluatedItems", "unevaluatedProperties" -> {
                // Follows when all others are known.
                yield Statement.ANYTHING;
            }
            default -> {
                if (draft7 && keyword.equals("$recursiveAnchor")) {
                    throw new Unsupported("it is of a version that isn't supported");
                }
                yield Statement.ANYTHING;
            }
        };
    }

    private Statement strictly(Supplier<Statement> says) {
        strict++;
        try {
            return says.get();
        } finally {
            strict--;
        }
    }

    private Statement reference(SchemaPlace place, String keyword) {
        return of(new Formula.Says(
                documents.find(place, place.schema().path(keyword).asString(""))));
    }

    private static Formula says(SchemaPlace place, JsonNode schema, String... path) {
        return schema.isBoolean()
                ? schema.booleanValue() ? Formula.TRUE : Formula.FALSE
                : new Formula.Says(place.at(schema, path));
    }

    private static List<Formula> list(SchemaPlace place, String keyword) {
        JsonNode list = place.schema().path(keyword);
        if (!list.isArray()) {
            throw new Unsupported("it is no array");
        }
        List<Formula> formulas = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            formulas.add(says(place, list.get(i), keyword, Integer.toString(i)));
        }
        return formulas;
    }

    private static Map<String, Formula> map(SchemaPlace place, String keyword) {
        Map<String, Formula> formulas = new LinkedHashMap<>();
        place.schema()
                .path(keyword)
                .properties()
                .forEach(each -> formulas.put(each.getKey(), says(place, each.getValue(), keyword, each.getKey())));
        return formulas;
    }

    private static BigDecimal number(JsonNode value) {
        if (!value.isNumber()) {
            throw new Unsupported("it is no number");
        }
        return NumberSpec.checked(value.decimalValue());
    }

    private static int count(JsonNode value) {
        BigDecimal count = number(value);
        if (count.signum() < 0 || count.stripTrailingZeros().scale() > 0) {
            throw new Unsupported("it is no count");
        }
        return count.min(BigDecimal.valueOf(Syntax.UNBOUNDED)).intValue();
    }

    private static Set<String> names(JsonNode value) {
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode each : value) {
            names.add(each.asString());
        }
        return names;
    }

    private static Statement type(JsonNode value) {
        Statement any = Statement.NOTHING;
        for (JsonNode each : value.isArray() ? value : List.of(value)) {
            any = any.or(
                    switch (each.asString()) {
                        case "null" -> Statement.ofNull();
                        case "boolean" -> Statement.ofBooleans(true, true);
                        case "number" -> Statement.ofNumbers(NumberSpec.ANY);
                        case "integer" -> Statement.ofNumbers(NumberSpec.WHOLE);
                        case "string" -> Statement.ofTexts(TextRule.ANY);
                        case "array" -> Statement.ofArrays(ArrayRule.ANY);
                        case "object" -> Statement.ofObjects(ObjectRule.ANY);
                        default -> throw new Unsupported("there is no type " + each);
                    });
        }
        return any;
    }

    /** Numbers and strings together, however many there are. */
    private Statement oneOfValues(List<Formula> values) {
        Set<String> texts = new LinkedHashSet<>();
        Set<BigDecimal> numbers = new LinkedHashSet<>();
        Statement any = Statement.NOTHING;
        for (Formula each : values) {
            JsonNode value = ((Formula.Is) each).value();
            if (value.isString()) {
                texts.add(value.asString());
            } else if (value.isNumber()) {
                numbers.add(NumberSpec.canonical(NumberSpec.checked(value.decimalValue())));
            } else {
                any = any.or(of(each));
            }
        }
        if (!texts.isEmpty()) {
            any = any.or(Statement.ofTexts(TextRule.only(texts)));
        }
        return numbers.isEmpty() ? any : any.or(Statement.ofNumbers(NumberSpec.ANY.withOnly(numbers)));
    }

    private Statement items(SchemaPlace place, String keyword) {
        JsonNode schema = place.schema();
        boolean prefixed = schema.path("prefixItems").isArray();
        boolean listed = schema.path("items").isArray();
        if (keyword.equals("items") && prefixed) {
            return Statement.ANYTHING;
        }
        List<Formula> prefix = prefixed ? list(place, "prefixItems") : listed ? list(place, "items") : List.of();
        String others = listed ? "additionalItems" : "items";
        boolean more = schema.has(others);
        Formula rest = more ? says(place, schema.get(others), others) : Formula.TRUE;
        return Statement.ifArray(ArrayRule.items(prefix, rest, more ? Syntax.UNBOUNDED : prefix.size()));
    }

    private Statement contains(SchemaPlace place) {
        JsonNode schema = place.schema();
        boolean counted = place.draft() != Syntax.Draft.DRAFT_7;
        int min = counted && schema.has("minContains") ? count(schema.get("minContains")) : 1;
        int max = counted && schema.has("maxContains") ? count(schema.get("maxContains")) : Syntax.UNBOUNDED;
        if (min == 0 && max == Syntax.UNBOUNDED) {
            return Statement.ANYTHING;
        }
        Formula item = says(place, schema.get("contains"), "contains");
        return Statement.ifArray(ArrayRule.containing(new ArrayRule.Contains(item, min, max)));
    }

    private Statement group(SchemaPlace place) {
        JsonNode schema = place.schema();
        Map<ObjectRule.Pattern, Formula> found = new LinkedHashMap<>();
        map(place, "patternProperties")
                .forEach((expression, says) ->
                        found.put(new ObjectRule.Pattern(expression, patterns.search(expression)), says));
        JsonNode others = schema.get("additionalProperties");
        Formula additional = others == null ? null : says(place, others, "additionalProperties");
        return Statement.ifObject(
                ObjectRule.group(new ObjectRule.Group(map(place, "properties"), found, additional, true)));
    }

    private static Statement dependents(JsonNode value) {
        Map<String, Set<String>> dependents = new LinkedHashMap<>();
        value.properties().forEach(each -> dependents.put(each.getKey(), names(each.getValue())));
        return Statement.ifObject(ObjectRule.dependents(dependents));
    }

    private Statement dependencies(SchemaPlace place, String keyword, JsonNode value) {
        Statement all = Statement.ANYTHING;
        for (Map.Entry<String, JsonNode> each : value.properties()) {
            String key = each.getKey();
            if (each.getValue().isArray()) {
                all = all.and(Statement.ifObject(ObjectRule.dependents(Map.of(key, names(each.getValue())))));
            } else {
                Statement without = Statement.ifObject(ObjectRule.property(key, Formula.FALSE));
                Statement with = Statement.ofObjects(ObjectRule.required(Set.of(key)));
                all = all.and(without.or(with.and(of(says(place, each.getValue(), keyword, key)))));
            }
        }
        return all;
    }

    private Statement anyOf(SchemaPlace place) {
        List<Formula> branches = list(place, "anyOf");
        Statement any = of(Formula.some(branches));
        boolean looks = place.schema().has("unevaluatedItems") || place.schema().has("unevaluatedProperties");
        if (looks && branches.size() <= MOST_TOGETHER) {
            for (int some = 1; some < 1 << branches.size(); some++) {
                List<Formula> together = new ArrayList<>();
                for (int i = 0; i < branches.size(); i++) {
                    if ((some >> i & 1) != 0) {
                        together.add(branches.get(i));
                    }
                }
                // Not joined by either, which takes the widest: what was looked at differs.
                any = any.orApart(of(Formula.every(together)));
            }
        }
        return any;
    }

    private Statement oneOf(List<Formula> branches) {
        List<Statement> says = branches.stream().map(this::of).toList();
        return Exclusive.of(says, this);
    }

    private Statement ifThenElse(SchemaPlace place) {
        JsonNode schema = place.schema();
        Formula condition = says(place, schema.get("if"), "if");
        Formula then = schema.has("then") ? says(place, schema.get("then"), "then") : Formula.TRUE;
        Formula otherwise = schema.has("else") ? says(place, schema.get("else"), "else") : Formula.TRUE;
        boolean looks = schema.has("unevaluatedItems") || schema.has("unevaluatedProperties");
        if (then.equals(Formula.TRUE) && otherwise.equals(Formula.TRUE) && !looks) {
            return Statement.ANYTHING;
        }
        Statement met = of(condition).and(of(then));
        return met.orApart(of(Formula.not(condition)).and(of(otherwise)));
    }

    private Statement unevaluated(Statement all, SchemaPlace place) {
        Statement before = all;
        if (place.schema().has("unevaluatedItems")) {
            Formula says = says(place, place.schema().get("unevaluatedItems"), "unevaluatedItems");
            List<ArrayRule> arrays = before.arrays().stream()
                    .map(array -> array.restOnly(says))
                    .filter(array -> !array.isNothing())
                    .toList();
            before = before.withArrays(arrays).inexact();
        }
        if (place.schema().has("unevaluatedProperties")) {
            Formula says = says(place, place.schema().get("unevaluatedProperties"), "unevaluatedProperties");
            List<ObjectRule> objects = before.objects().stream()
                    .map(object -> object.othersOnly(says))
                    .toList();
            before = before.withObjects(objects).inexact();
        }
        return before;
    }
}
