package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import uzu.PropertyOrder;
import uzu.UzuException;
import uzu.tokenizer.Tokenizer;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemaTest {
    private GrammarCompiler compiler;
    private GrammarRunner runner;

    @BeforeAll
    void load() {
        Tokenizer tokenizer = TestVocabulary.load();
        compiler = new GrammarCompiler(tokenizer, tokenizer.endOfGeneration());
        runner = new GrammarRunner(tokenizer);
    }

    private boolean accepts(String schema, String text) {
        return runner.accepts(compiler.compile(Syntax.jsonSchema(schema), false), text);
    }

    @Test
    void propertiesComeInAnyOrderAndOnce() {
        String schema = "{\"properties\": {\"a\": {\"type\": \"integer\"}, \"b\": {}}, \"required\": [\"a\"]}";
        assertTrue(accepts(schema, "{\"b\": null, \"a\": 1}"));
        assertTrue(accepts(schema, "{\"a\": 1}"));
        assertFalse(accepts(schema, "{\"b\": null}"));
        assertFalse(accepts(schema, "{\"a\": 1, \"a\": 2}"));
        assertFalse(accepts(schema, "{\"a\": 1, \"\\u0061\": 2}"));
    }

    @Test
    void propertiesComeAsGivenWhereThatIsAsked() {
        CompiledGrammar grammar = compiler.compile(
                new Syntax.JsonSchema(
                        "{\"properties\": {\"a\": {}, \"b\": {}, \"c\": {}}, \"required\": [\"b\"],"
                                + " \"additionalProperties\": false}",
                        PropertyOrder.AS_GIVEN,
                        Syntax.Draft.DRAFT_2020,
                        Map.of()),
                false);
        assertTrue(runner.accepts(grammar, "{\"a\": 1, \"b\": 2, \"c\": 3}"));
        assertTrue(runner.accepts(grammar, "{\"b\": 2}"));
        assertFalse(runner.accepts(grammar, "{\"b\": 2, \"a\": 1}"));
        assertFalse(runner.accepts(grammar, "{\"c\": 2}"));
    }

    @Test
    void lengthsCountCodePointsHoweverTheyAreWritten() {
        String schema = "{\"type\": \"string\", \"minLength\": 2, \"maxLength\": 2}";
        assertTrue(accepts(schema, "\"\uD83D\uDE00\u00E9\""));
        assertTrue(accepts(schema, "\"\\ud83d\\ude00\\u00e9\""));
        assertTrue(accepts(schema, "\"\\n\\\"\""));
        assertFalse(accepts(schema, "\"\\ud83d\\ude00\""));
        assertFalse(accepts(schema, "\"abc\""));
    }

    @Test
    void patternsSeeWhatEscapesStandFor() {
        String schema = "{\"type\": \"string\", \"pattern\": \"^[\\u00e9\\n]+$\"}";
        assertTrue(accepts(schema, "\"\u00E9\\n\\u00e9\""));
        assertFalse(accepts(schema, "\"n\""));
    }

    @Test
    void numbersAreComparedByValue() {
        String schema = "{\"type\": \"number\", \"minimum\": -1.5, \"exclusiveMaximum\": 12, \"multipleOf\": 0.5}";
        for (String good : List.of("0", "-1.5", "11.5", "1.0", "-0.50", "11")) {
            assertTrue(accepts(schema, good), good);
        }
        for (String bad : List.of("-2", "12", "0.3", "11.75", "100", "01")) {
            assertFalse(accepts(schema, bad), bad);
        }
        assertTrue(accepts("{\"const\": 1}", "1.0"));
        assertFalse(accepts("{\"type\": \"integer\"}", "1.5"));
    }

    @Test
    void hundredThousandCharactersAreACounter() {
        String schema = "{\"type\": \"string\", \"maxLength\": 100000}";
        compiler.compile(Syntax.json(), false);
        long begun = System.nanoTime();
        CompiledGrammar grammar = compiler.compile(Syntax.jsonSchema(schema), false);
        assertTrue(System.nanoTime() - begun < 100_000_000L);
        assertTrue(runner.accepts(grammar, "\"" + "ab ".repeat(3000) + "\""));
        assertFalse(accepts("{\"type\": \"string\", \"maxLength\": 2000}", "\"" + "a".repeat(2001) + "\""));
        assertFalse(accepts("{\"type\": \"array\", \"maxItems\": 100000, \"minItems\": 3}", "[1, 2]"));
    }

    @Test
    void exactlyOneOfHoldsWhereAlternativesTellEachOtherApart() {
        String schema =
                "{\"oneOf\": [{\"type\": \"integer\", \"minimum\": 5}, {\"type\": \"integer\", \"maximum\": 7}]}";
        assertTrue(accepts(schema, "4"));
        assertTrue(accepts(schema, "8"));
        assertFalse(accepts(schema, "6"));
    }

    @Test
    void whatCannotBeEnforcedIsNamed() {
        String schema = "{\"type\": \"object\", \"properties\": {\"tags\": {\"type\": \"array\","
                + " \"items\": {\"type\": \"object\"}, \"uniqueItems\": true}}}";
        UzuException.GrammarUnsupported error = assertThrows(
                UzuException.GrammarUnsupported.class, () -> compiler.compile(Syntax.jsonSchema(schema), false));
        assertEquals("#/properties/tags", error.details().get("path"));
        assertEquals("uniqueItems", error.details().get("keyword"));
        CompiledGrammar lenient = compiler.compile(Syntax.jsonSchema(schema), true);
        assertEquals(List.of("uniqueItems at #/properties/tags"), lenient.unenforced());
        assertFalse(runner.accepts(lenient, "{\"tags\": 1}"));
    }

    @Test
    void compiledGrammarsAreRemembered() {
        Syntax syntax = Syntax.jsonSchema("{\"type\": \"null\"}");
        assertSame(compiler.compile(syntax, false), compiler.compile(syntax, false));
    }

    @Test
    void recursiveRulesAndRepetitionsWithoutEnd() {
        Syntax list = new Syntax.Rules(
                Map.of(
                        "list",
                        Syntax.sequence(
                                Syntax.literal("("),
                                Syntax.repeat(
                                        Syntax.choice(Syntax.literal("x"), new Syntax.Reference("list")),
                                        0,
                                        Syntax.UNBOUNDED),
                                Syntax.literal(")"))),
                new Syntax.Reference("list"));
        CompiledGrammar grammar = compiler.compile(list, false);
        assertTrue(runner.accepts(grammar, "(x(xx)(()))"));
        assertFalse(runner.accepts(grammar, "(x(xx)"));
        Syntax itself = new Syntax.Rules(
                Map.of("a", Syntax.sequence(Syntax.optional(Syntax.literal("x")), new Syntax.Reference("a"))),
                new Syntax.Reference("a"));
        assertThrows(UzuException.GrammarUnsupported.class, () -> compiler.compile(itself, false));
    }

    @Test
    void textsAroundMarkers() {
        Syntax call = Syntax.sequence(
                Syntax.without("<call>"), Syntax.literal("<call>"), Syntax.json(), Syntax.until("</call>"));
        CompiledGrammar grammar = compiler.compile(call, false);
        assertTrue(runner.accepts(grammar, "Let me <see>. <call>{\"a\": [1]}\n</call>"));
        assertFalse(runner.accepts(grammar, "<call>{}</call></call>"));
        assertFalse(runner.accepts(grammar, "a <call>{}"));
    }

    @Test
    void emptyBodiesRepeatNothing() {
        Syntax syntax = Syntax.repeat(
                Syntax.sequence(
                        Syntax.optional(Syntax.literal("<|endoftext|>")), Syntax.repeat(Syntax.literal("b"), 0, 50)),
                0,
                100_000);
        CompiledGrammar grammar = compiler.compile(syntax, false);
        assertTrue(runner.accepts(grammar, ""));
        assertTrue(runner.accepts(grammar, "bbbb"));
        assertFalse(runner.accepts(grammar, "c"));
    }
}
