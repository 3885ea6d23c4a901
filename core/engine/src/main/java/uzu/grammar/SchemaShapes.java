package uzu.grammar;

import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import uzu.UzuException;

/** Makes shapes of what formulas say. For one use. */
final class SchemaShapes {
    /** Of so many patterns of keys, every combination is looked at. */
    private static final int MOST_PATTERNS = 6;

    /** Values of items of which there may be one each. */
    private static final int MOST_DISTINCT = 64;

    /** Kinds of items that are counted in one array. */
    private static final int MOST_CONTAINED = 3;

    private final SchemaKeywords keywords;
    private final ShapeGraph graph;
    private final TokenTrie trie;
    private final boolean ordered;
    private final boolean lenient;
    private final List<String> unenforced;
    private final Map<Formula, ValueShape> shapes = new HashMap<>();
    private final Deque<Formula> open = new ArrayDeque<>();

    SchemaShapes(
            SchemaKeywords keywords,
            ShapeGraph graph,
            TokenTrie trie,
            boolean ordered,
            boolean lenient,
            List<String> unenforced) {
        this.keywords = keywords;
        this.graph = graph;
        this.trie = trie;
        this.ordered = ordered;
        this.lenient = lenient;
        this.unenforced = unenforced;
    }

    /** The shape of a formula, and all that it refers to. */
    ValueShape make(Formula root) {
        ValueShape shape = shape(root);
        while (!open.isEmpty()) {
            Formula formula = open.remove();
            try {
                fill(shape(formula), keywords.of(formula));
            } catch (Unsupported e) {
                SchemaPlace place = place(formula);
                String keyword = e.keyword("schema");
                UzuException error = SchemaKeywords.unsupported(place, keyword, e);
                if (!lenient) {
                    throw error;
                }
                unenforced.add(keyword + " at " + place.pointer());
                fill(shape(formula), withoutArrays(formula));
            }
        }
        return shape;
    }

    /** What is left of a formula whose arrays, or all of which, can't be followed. */
    private Statement withoutArrays(Formula formula) {
        try {
            Statement says = keywords.of(formula);
            List<ArrayRule> arrays = says.arrays().stream()
                    .map(array ->
                            new ArrayRule(array.prefix(), array.rest(), array.min(), array.max(), false, List.of(), 0))
                    .toList();
            Statement weaker = says.withArrays(arrays);
            fill(graph.create(), weaker);
            return weaker;
        } catch (Unsupported e) {
            return Statement.ANYTHING;
        }
    }

    /** Where a formula comes from, to name it. */
    private static SchemaPlace place(Formula formula) {
        return switch (formula) {
            case Formula.Says says -> says.place();
            case Formula.Not not -> place(not.body());
            case Formula.Every every -> place(every.parts().iterator().next());
            case Formula.Some some -> place(some.parts().iterator().next());
            case Formula.Is is -> new SchemaPlace(is.value(), URI.create(""), "const", Syntax.Draft.DRAFT_2020);
        };
    }

    private ValueShape shape(Formula formula) {
        ValueShape known = shapes.get(formula);
        if (known == null) {
            known = graph.create();
            shapes.put(formula, known);
            open.add(formula);
        }
        return known;
    }

    private void fill(ValueShape shape, Statement says) {
        List<ValueShape.Text> texts = new ArrayList<>();
        for (TextRule rule : says.texts()) {
            ValueShape.Text text = rule.shape(keywords.patterns());
            if (text != null) {
                texts.add(text);
            }
        }
        List<ArrayShape> arrays = new ArrayList<>();
        for (ArrayRule rule : says.arrays()) {
            arrays.add(array(rule));
        }
        List<ObjectSpec> objects = new ArrayList<>();
        for (ObjectRule rule : says.objects()) {
            objects.add(object(rule));
        }
        shape.fill(says.nulls(), says.trues(), says.falses(), says.numbers(), texts, arrays, objects);
    }

    private ArrayShape array(ArrayRule rule) {
        if (rule.unique() && rule.max() > 1) {
            return distinct(rule);
        }
        if (!rule.contains().isEmpty()) {
            return counted(rule);
        }
        List<ValueShape> prefix = rule.prefix().stream().map(this::shape).toList();
        return new ArraySpec(prefix, shape(rule.rest()), rule.min(), rule.max());
    }

    private ArrayShape distinct(ArrayRule rule) {
        if (!rule.prefix().isEmpty() || !rule.contains().isEmpty()) {
            throw new Unsupported("uniqueItems", "items would have to be remembered");
        }
        Set<JsonNode> values = keywords.of(rule.rest()).values(MOST_DISTINCT);
        if (values == null) {
            throw new Unsupported(
                    "uniqueItems",
                    "items would have to be remembered that aren't of at most " + MOST_DISTINCT + " values");
        }
        List<ValueShape> each =
                values.stream().map(value -> shape(new Formula.Is(value))).toList();
        return CountedArrays.distinct(each, rule.min(), rule.max());
    }

    private ArrayShape counted(ArrayRule rule) {
        List<ArrayRule.Contains> contains = rule.contains();
        if (contains.size() > MOST_CONTAINED) {
            throw new Unsupported("contains", "there are more than " + MOST_CONTAINED + " at once");
        }
        List<int[]> counted = new ArrayList<>();
        List<List<Formula>> kinds = new ArrayList<>();
        for (int kind = (1 << contains.size()) - 1; kind >= 0; kind--) {
            List<Formula> says = new ArrayList<>();
            int in = kind;
            for (int i = 0; i < contains.size(); i++) {
                ArrayRule.Contains each = contains.get(i);
                if ((kind >> i & 1) != 0) {
                    says.add(each.item());
                } else if (each.max() < Syntax.UNBOUNDED) {
                    // Where more may come without end, it does no harm not to count one.
                    says.add(Formula.not(each.item()));
                }
            }
            kinds.add(says);
            counted.add(IntStream.range(0, contains.size())
                    .filter(i -> (in >> i & 1) != 0)
                    .toArray());
        }
        List<List<ValueShape>> shapes = new ArrayList<>();
        for (int index = 0; index <= rule.prefix().size(); index++) {
            Formula item = index < rule.prefix().size() ? rule.prefix().get(index) : rule.rest();
            List<ValueShape> of = new ArrayList<>();
            for (List<Formula> says : kinds) {
                List<Formula> all = new ArrayList<>(says);
                all.add(item);
                of.add(shape(Formula.every(all)));
            }
            shapes.add(of);
        }
        List<CountedArrays.Bounds> bounds = contains.stream()
                .map(each -> new CountedArrays.Bounds(each.min(), each.max()))
                .toList();
        return new CountedArrays(shapes, counted, bounds, rule.min(), rule.max());
    }

    private ObjectSpec object(ObjectRule rule) {
        Set<String> found = new LinkedHashSet<>();
        rule.groups().forEach(group -> found.addAll(group.properties().keySet()));
        found.addAll(rule.required());
        rule.dependents().forEach((key, wanted) -> {
            found.add(key);
            found.addAll(wanted);
        });
        List<String> names = List.copyOf(found);
        Map<String, Integer> indices = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            indices.put(names.get(i), i);
        }
        Rx allowed = keys(rule.keys());
        List<ValueShape> values = new ArrayList<>();
        for (String name : names) {
            boolean may = allowed == Rx.ALL || allowed.matches(name);
            values.add(shape(may ? rule.value(name) : Formula.FALSE));
        }
        Map<String, ObjectRule.Pattern> patterns = new LinkedHashMap<>();
        for (ObjectRule.Group group : rule.groups()) {
            group.patterns().keySet().forEach(pattern -> patterns.put(pattern.expression(), pattern));
        }
        List<ValueShape> others = others(rule, List.copyOf(patterns.values()), allowed);
        KeyLanguage keys = patterns.isEmpty() && allowed == Rx.ALL
                ? new NamesOrAny(names)
                : new PatternKeys(
                        names,
                        patterns.values().stream()
                                .map(ObjectRule.Pattern::language)
                                .toList(),
                        allowed);
        return new ObjectSpec(
                names,
                values,
                others,
                keys,
                bits(rule.required(), indices),
                rule.dependents().isEmpty()
                        ? List.of()
                        : names.stream()
                                .map(name -> bits(rule.dependents().getOrDefault(name, Set.of()), indices))
                                .toList(),
                rule.min(),
                rule.max(),
                ordered,
                trie);
    }

    private static BigInteger bits(Set<String> names, Map<String, Integer> indices) {
        BigInteger bits = BigInteger.ZERO;
        for (String name : names) {
            bits = bits.setBit(Objects.requireNonNull(indices.get(name)));
        }
        return bits;
    }

    /** The language of the keys that there may be. */
    private Rx keys(List<Formula> formulas) {
        if (formulas.isEmpty()) {
            return Rx.ALL;
        }
        return Rx.or(keywords.of(Formula.every(formulas)).texts().stream()
                .map(TextRule::language)
                .toList());
    }

    /** By which of the patterns match, bit by bit. */
    private List<ValueShape> others(ObjectRule rule, List<ObjectRule.Pattern> patterns, Rx allowed) {
        if (patterns.size() > MOST_PATTERNS) {
            throw new Unsupported("patternProperties", "there are more than " + MOST_PATTERNS + " patterns of keys");
        }
        List<ValueShape> others = new ArrayList<>();
        for (int matching = 0; matching < 1 << patterns.size(); matching++) {
            List<Formula> says = new ArrayList<>();
            for (ObjectRule.Group group : rule.groups()) {
                List<Formula> own = new ArrayList<>();
                for (Map.Entry<ObjectRule.Pattern, Formula> each :
                        group.patterns().entrySet()) {
                    if ((matching >> patterns.indexOf(each.getKey()) & 1) != 0) {
                        own.add(each.getValue());
                    }
                }
                if (own.isEmpty() && group.additional() != null) {
                    own.add(group.additional());
                }
                says.addAll(own);
            }
            others.add(shape(allowed == Rx.NOTHING ? Formula.FALSE : Formula.every(says)));
        }
        return others;
    }
}
