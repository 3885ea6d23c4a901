package uzu.grammar;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import uzu.UzuException;
import uzu.tokenizer.Tokenizer;

/** Makes a syntax's parts. For one use. */
final class SyntaxCompiler {
    private final Tokenizer tokenizer;
    private final TokenTrie trie;
    private final boolean lenient;
    private final ShapeGraph shapes = new ShapeGraph();
    private final List<String> unenforced = new ArrayList<>();
    private final List<Part.Rule> rules = new ArrayList<>();

    SyntaxCompiler(Tokenizer tokenizer, TokenTrie trie, boolean lenient) {
        this.tokenizer = tokenizer;
        this.trie = trie;
        this.lenient = lenient;
    }

    CompiledGrammar compile(Syntax syntax, Masks masks, int[] ends) {
        Part root = part(syntax);
        shapes.settle();
        return new CompiledGrammar(root, masks, ends, rise(root), unenforced);
    }

    private int rise(Part root) {
        int dearest = Cost.sum(shapes.dearest(), root.cost() >= Cost.NEVER ? 0 : root.cost());
        return Cost.sum(Cost.times(dearest, trie.longest()), trie.longest());
    }

    private Part part(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Literal literal -> literal(literal.text());
            case Syntax.Json json -> value(any());
            case Syntax.Sequence sequence ->
                new Part.Sequence(sequence.parts().stream().map(this::part).toList());
            case Syntax.Choice choice ->
                new Part.Choice(choice.alternatives().stream().map(this::part).toList());
            case Syntax.Repeat repeat -> new Part.Repeat(part(repeat.body()), repeat.min(), repeat.max());
            case Syntax.JsonSchema schema -> value(schema(schema));
            default -> regular(syntax);
        };
    }

    private Part literal(String text) {
        if (text.isEmpty()) {
            return new Part.Sequence(List.of());
        }
        Part bytes = new Part.Single(LiteralFrame.of(text, trie));
        OptionalInt id = tokenizer.id(text);
        if (id.isEmpty() || !tokenizer.isSpecial(id.getAsInt())) {
            return bytes;
        }
        return new Part.Choice(List.of(new Part.Single(new ControlFrame(id.getAsInt())), bytes));
    }

    private Part regular(Syntax syntax) {
        Rx language = RegularLanguage.of(syntax);
        TextRule rule = TextRule.of(language);
        ValueShape.Text text;
        try {
            text = rule.shape();
        } catch (Unsupported e) {
            throw new UzuException.GrammarUnsupported(
                    "the expression can't be followed: " + e.getMessage(), Map.of("keyword", "regex"), e);
        }
        TextFrame frame = text == null ? null : TextFrame.of(text.chars(), Chars.Writing.PLAIN, text.min(), text.max());
        return frame == null ? new Part.Choice(List.of()) : new Part.Text(frame);
    }

    private ValueShape schema(Syntax.JsonSchema schema) {
        SchemaDocuments documents = new SchemaDocuments(schema.documents());
        SchemaKeywords keywords = new SchemaKeywords(documents, lenient, unenforced);
        SchemaShapes made = new SchemaShapes(
                keywords, shapes, trie, schema.order() == Syntax.PropertyOrder.AS_GIVEN, lenient, unenforced);
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
