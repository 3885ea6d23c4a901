package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import uzu.UzuException;
import uzu.tokenizer.Tokenizer;

/** Arrays whose items are counted, or may come once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArraysTest {
    private GrammarCompiler compiler;
    private GrammarRunner runner;

    @BeforeAll
    void load() {
        Tokenizer tokenizer = TestVocabulary.load();
        compiler = new GrammarCompiler(tokenizer, tokenizer.endOfGeneration());
        runner = new GrammarRunner(tokenizer);
    }

    private void check(String schema, List<String> valid, List<String> invalid) {
        CompiledGrammar grammar = compiler.compile(Syntax.jsonSchema(schema), false);
        for (String text : valid) {
            assertTrue(runner.accepts(grammar, text), () -> text + " of " + schema);
        }
        for (String text : invalid) {
            assertFalse(runner.accepts(grammar, text), () -> text + " of " + schema);
        }
    }

    @Test
    void valuesOfAnEnumComeOnce() {
        check(
                "{\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"enum\": [\"red\", \"rede\", 1, null]}}",
                List.of("[]", "[\"red\", \"rede\"]", "[null, 1, \"rede\", \"red\"]", "[\n  1.0\n]"),
                List.of("[\"red\", \"red\"]", "[1, null, 1.0]", "[\"red\", \"\\u0072ed\"]", "[\"blue\"]"));
    }

    @Test
    void smallWholeNumbersAndBooleansComeOnce() {
        check(
                "{\"type\": \"array\", \"uniqueItems\": true, \"minItems\": 2,"
                        + " \"items\": {\"type\": [\"integer\", \"boolean\"], \"minimum\": 9, \"maximum\": 11}}",
                List.of("[9, 10]", "[true, false, 11]", "[11, 10, 9, true, false]"),
                List.of("[9]", "[9, 9]", "[true, 9, true]", "[8, 9]", "[10, 1e1]"));
    }

    @Test
    void moreValuesThanThereAreCannotBeWanted() {
        CompiledGrammar grammar = compiler.compile(
                Syntax.jsonSchema(
                        "{\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\", \"uniqueItems\": true, \"minItems\": 3,"
                                + " \"items\": {\"type\": \"boolean\"}}]}"),
                false);
        assertEquals("null", runner.write(grammar, 50, new Random(1), 0));
    }

    @Test
    void itemsThatWouldHaveToBeRememberedAreRefused() {
        String schema = "{\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"type\": \"string\"}}";
        UzuException.GrammarUnsupported refusal = assertThrows(
                UzuException.GrammarUnsupported.class, () -> compiler.compile(Syntax.jsonSchema(schema), false));
        assertEquals("uniqueItems", refusal.details().get("keyword"));
    }

    @Test
    void oneItemIsAsContainsSays() {
        check(
                "{\"type\": \"array\", \"contains\": {\"type\": \"integer\", \"minimum\": 5}}",
                List.of("[5]", "[\"a\", 6]", "[1, 7, 2]", "[7, {\"a\": 5}]"),
                List.of("[]", "[4]", "[\"a\"]", "[[5]]"));
    }

    @Test
    void itemsAreCountedFromMinContainsToMaxContains() {
        check(
                "{\"type\": \"array\", \"contains\": {\"type\": \"string\"}, \"minContains\": 2, \"maxContains\": 3}",
                List.of("[\"a\", \"b\"]", "[1, \"a\", 2, \"b\", \"c\", 3]"),
                List.of("[]", "[\"a\"]", "[1, 2]", "[\"a\", \"b\", \"c\", \"d\"]"));
    }

    @Test
    void severalContainsHoldTogether() {
        check(
                "{\"allOf\": [{\"contains\": {\"multipleOf\": 2}}, {\"contains\": {\"multipleOf\": 3}}],"
                        + " \"type\": \"array\", \"items\": {\"type\": \"integer\"}, \"maxItems\": 2}",
                List.of("[2, 3]", "[6]", "[3, 4]", "[6, 5]"),
                List.of("[2]", "[3, 9]", "[]", "[1, 2, 3]"));
    }

    @Test
    void firstItemsCountToo() {
        check(
                "{\"type\": \"array\", \"prefixItems\": [{\"type\": \"string\"}, {\"type\": \"integer\"}],"
                        + " \"items\": false, \"contains\": {\"const\": 3}}",
                List.of("[\"a\", 3]"),
                List.of("[\"a\", 4]", "[\"a\"]", "[3]"));
    }

    @Test
    void theLastTokensAreEnough() {
        for (String schema : List.of(
                "{\"type\": \"array\", \"uniqueItems\": true, \"minItems\": 3, \"items\": {\"enum\": [\"a\", \"bcd\", 12,"
                        + " 345, true, null]}}",
                "{\"type\": \"array\", \"contains\": {\"type\": \"string\", \"minLength\": 3}, \"minContains\": 2,"
                        + " \"maxContains\": 4, \"minItems\": 4}")) {
            CompiledGrammar grammar = compiler.compile(Syntax.jsonSchema(schema), false);
            UzuException.GrammarDeadEnd tooFew =
                    assertThrows(UzuException.GrammarDeadEnd.class, () -> grammar.start(1));
            int least = Integer.parseInt(tooFew.details().get("tokens"));
            for (int seed = 0; seed < 30; seed++) {
                String text = runner.write(grammar, least + seed % 3, new Random(seed), 0.1);
                assertTrue(runner.accepts(grammar, text), text);
            }
        }
    }
}
