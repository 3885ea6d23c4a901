package uzu.grammar;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import uzu.PropertyOrder;
import uzu.UzuException;
import uzu.tokenizer.Tokenizer;

/** Makes a syntax's parts. For one use. */
final class SyntaxCompiler {
    /** Counts beyond this are no states of an automaton. */
    private static final int FAR = 32;

    private final Tokenizer tokenizer;
    private final TokenTrie trie;
    private final SchemaPatterns patterns;
    private final boolean lenient;
    private final ShapeGraph shapes = new ShapeGraph();
    private final List<String> unenforced = new ArrayList<>();
    private final List<Part.Rule> rules = new ArrayList<>();
    /** Of all literals and texts together. */
    private int written = 16;

    SyntaxCompiler(Tokenizer tokenizer, TokenTrie trie, SchemaPatterns patterns, boolean lenient) {
        this.tokenizer = tokenizer;
        this.trie = trie;
        this.patterns = patterns;
        this.lenient = lenient;
    }

    CompiledGrammar compile(Syntax syntax, Masks masks, int[] ends) {
        Part root = part(syntax, Map.of());
        shapes.settle();
        settleRules();
        if (root.cost() >= Cost.NEVER && !(syntax instanceof Syntax.JsonSchema)) {
            throw new UzuException.GrammarUnsupported(
                    "no text is what the grammar demands", Map.of("keyword", "grammar"));
        }
        return new CompiledGrammar(root, masks, ends, rise(root), unenforced);
    }

    /** No byte makes what is to come longer by more tokens. */
    private int rise(Part root) {
        int rise = Cost.sum(shapes.dearest(), root.cost() >= Cost.NEVER ? 0 : root.cost());
        for (Part.Rule rule : rules) {
            rise = rule.cost() < Cost.NEVER ? Cost.sum(rise, rule.cost()) : rise;
        }
        return Cost.sum(rise, written);
    }

    private Part part(Syntax syntax, Map<String, Part.Rule> scope) {
        return switch (syntax) {
            case Syntax.Literal literal -> literal(literal.text());
            case Syntax.Json json -> value(any());
            case Syntax.Sequence sequence
            when !isAutomaton(sequence) -> new Part.Sequence(parts(sequence.parts(), scope));
            case Syntax.Choice choice when !isAutomaton(choice) -> new Part.Choice(parts(choice.alternatives(), scope));
            case Syntax.Repeat repeat
            when !isAutomaton(repeat) -> new Part.Repeat(part(repeat.body(), scope), repeat.min(), repeat.max());
            case Syntax.Rules group -> rules(group, scope);
            case Syntax.Reference reference -> {
                Part.Rule rule = scope.get(reference.rule());
                if (rule == null) {
                    throw new UzuException.GrammarUnsupported(
                            "there is no rule " + reference.rule(), Map.of("keyword", reference.rule()));
                }
                yield rule;
            }
            case Syntax.JsonSchema schema -> value(schema(schema));
            default -> regular(syntax);
        };
    }

    private Part literal(String text) {
        if (text.isEmpty()) {
            return new Part.Sequence(List.of());
        }
        Part bytes = new Part.Single(LiteralFrame.of(text, trie));
        written = Cost.sum(written, bytes.cost());
        OptionalInt id = tokenizer.id(text);
        if (id.isEmpty() || !tokenizer.isSpecial(id.getAsInt())) {
            return bytes;
        }
        return new Part.Choice(List.of(new Part.Single(new ControlFrame(id.getAsInt())), bytes));
    }

    private List<Part> parts(List<Syntax> several, Map<String, Part.Rule> scope) {
        return several.stream().map(each -> part(each, scope)).toList();
    }

    /** Whether one automaton follows it; control tokens are no characters, and large counts are kept by frames. */
    private boolean isAutomaton(Syntax syntax) {
        return RegularLanguage.isRegular(syntax) && !hasControl(syntax) && !countsFar(syntax, false);
    }

    private boolean hasControl(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Literal literal -> {
                OptionalInt id = tokenizer.id(literal.text());
                yield id.isPresent() && tokenizer.isSpecial(id.getAsInt());
            }
            case Syntax.Sequence sequence -> sequence.parts().stream().anyMatch(this::hasControl);
            case Syntax.Choice choice -> choice.alternatives().stream().anyMatch(this::hasControl);
            case Syntax.Repeat repeat -> hasControl(repeat.body());
            default -> false;
        };
    }

    private static boolean countsFar(Syntax syntax, boolean inside) {
        return switch (syntax) {
            case Syntax.Sequence sequence -> sequence.parts().stream().anyMatch(part -> countsFar(part, true));
            case Syntax.Choice choice -> choice.alternatives().stream().anyMatch(part -> countsFar(part, true));
            case Syntax.Repeat repeat -> {
                boolean far = repeat.min() > FAR || (repeat.max() > FAR && repeat.max() < Syntax.UNBOUNDED);
                boolean alone = !inside && repeat.body() instanceof Syntax.Characters;
                yield (far && !alone) || countsFar(repeat.body(), true);
            }
            default -> false;
        };
    }

    private Part rules(Syntax.Rules group, Map<String, Part.Rule> scope) {
        Map<String, Part.Rule> inner = new HashMap<>(scope);
        group.rules().keySet().forEach(name -> inner.put(name, new Part.Rule(name)));
        group.rules().forEach((name, says) -> {
            Part.Rule rule = Objects.requireNonNull(inner.get(name));
            rule.define(part(says, inner));
            rules.add(rule);
        });
        return part(group.start(), inner);
    }

    /** Finds what rules may be empty, and what they cost; refuses those that begin with themselves. */
    private void settleRules() {
        boolean news = true;
        while (news) {
            news = false;
            for (Part.Rule rule : rules) {
                news |= rule.learn();
            }
        }
        Set<Part> begun = new HashSet<>();
        for (Part.Rule rule : rules) {
            checkFirsts(rule, new ArrayList<>(), begun);
        }
    }

    private static void checkFirsts(Part part, List<Part> around, Set<Part> begun) {
        if (part instanceof Part.Rule rule && around.contains(part)) {
            throw new UzuException.GrammarUnsupported(
                    "rule " + rule.name() + " begins with itself", Map.of("keyword", rule.name()));
        }
        if (part.firsts().isEmpty() || !begun.add(part)) {
            return;
        }
        around.add(part);
        for (Part first : part.firsts()) {
            checkFirsts(first, around, begun);
        }
        around.remove(around.size() - 1);
    }

    private Part regular(Syntax syntax) {
        Rx language = RegularLanguage.of(syntax);
        TextRule rule = TextRule.of(language);
        ValueShape.Text text;
        try {
            text = rule.shape(patterns);
        } catch (Unsupported e) {
            throw new UzuException.GrammarUnsupported(
                    "the expression can't be followed: " + e.getMessage(), Map.of("keyword", "regex"), e);
        }
        TextFrame frame = text == null ? null : TextFrame.of(text.chars(), Chars.Writing.PLAIN, text.min(), text.max());
        if (text == null || frame == null) {
            return new Part.Choice(List.of());
        }
        boolean counted = text.min() > 0 || text.max() < Chars.UNBOUNDED;
        int farthest =
                counted && !text.chars().isUniform() ? Cost.NEVER : text.chars().farthest();
        written = Cost.sum(written, Cost.sum(farthest, Cost.times(4, text.min())));
        return new Part.Text(frame);
    }

    private ValueShape schema(Syntax.JsonSchema schema) {
        SchemaDocuments documents = new SchemaDocuments(schema.documents());
        SchemaKeywords keywords = new SchemaKeywords(documents, patterns, lenient, unenforced);
        SchemaShapes made =
                new SchemaShapes(keywords, shapes, trie, schema.order() == PropertyOrder.AS_GIVEN, lenient, unenforced);
        return made.make(new Formula.Says(documents.read(schema.schema(), schema.draft())));
    }

    private static Part value(ValueShape shape) {
        return new Part.Value(shape);
    }

    private ValueShape any() {
        ValueShape any = shapes.create();
        any.fill(
                true,
                true,
                true,
                List.of(NumberSpec.ANY),
                List.of(new ValueShape.Text(UniformChars.ANY, 0, Chars.UNBOUNDED)),
                List.of(new ArraySpec(List.of(), any, 0, Syntax.UNBOUNDED)),
                List.of(new ObjectSpec(
                        List.of(),
                        List.of(),
                        List.of(any),
                        new NamesOrAny(List.of()),
                        BigInteger.ZERO,
                        List.of(),
                        0,
                        Syntax.UNBOUNDED,
                        false,
                        trie)));
        return any;
    }
}
