package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import uzu.PropertyOrder;
import uzu.UzuException;
import uzu.tokenizer.Tokenizer;

/** However few tokens there are, what is written is whole, or it is said beforehand that they don't suffice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SteeringTest {
    private static final List<String> SCHEMAS = List.of(
            "{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\", \"maxLength\": 40},"
                    + " \"age\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": 150},"
                    + " \"hobbies\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 1,"
                    + " \"maxItems\": 4}, \"kind\": {\"enum\": [\"student\", \"worker\", \"retired\"]}},"
                    + " \"required\": [\"name\", \"age\", \"hobbies\", \"kind\"], \"additionalProperties\": false}",
            "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"number\", \"exclusiveMinimum\": -2.5,"
                    + " \"maximum\": 7}, \"b\": {\"type\": \"string\", \"pattern\": \"^[a-z]{2,5}-\\\\d+$\"}},"
                    + " \"required\": [\"b\"]}",
            "{\"$ref\": \"#/$defs/node\", \"$defs\": {\"node\": {\"type\": \"object\", \"properties\": {\"value\":"
                    + " {\"type\": \"integer\"}, \"children\": {\"type\": \"array\", \"items\": {\"$ref\":"
                    + " \"#/$defs/node\"}}}, \"required\": [\"value\", \"children\"],"
                    + " \"additionalProperties\": false}}}",
            "{\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\", \"minLength\": 3, \"maxLength\": 6},"
                    + " {\"type\": \"integer\", \"multipleOf\": 7, \"minimum\": 100}, {\"type\": \"null\"}]},"
                    + " \"minItems\": 2, \"maxItems\": 5}",
            "{\"type\": \"object\", \"minProperties\": 3, \"maxProperties\": 4, \"patternProperties\": {\"^x_\":"
                    + " {\"type\": \"integer\"}}, \"additionalProperties\": {\"type\": \"boolean\"},"
                    + " \"propertyNames\": {\"maxLength\": 8}}",
            "{\"enum\": [1, 2.5, \"x\", null, [1, {\"a\": \"b\"}], {\"k\": [true]}]}",
            "{\"oneOf\": [{\"type\": \"object\", \"properties\": {\"t\": {\"const\": \"a\"}, \"v\": {\"type\":"
                    + " \"integer\"}}, \"required\": [\"t\", \"v\"]}, {\"type\": \"object\", \"properties\": {\"t\":"
                    + " {\"const\": \"b\"}, \"w\": {\"type\": \"string\"}}, \"required\": [\"t\", \"w\"]}]}",
            "{\"type\": \"object\", \"minProperties\": 2, \"properties\": {\"a\": {\"type\": \"integer\"}, \"b\":"
                    + " {\"type\": \"string\"}, \"c\": {\"type\": \"boolean\"}}, \"additionalProperties\": false,"
                    + " \"dependentRequired\": {\"a\": [\"c\"]}}",
            "{}");

    private Tokenizer tokenizer;
    private GrammarCompiler compiler;
    private GrammarRunner runner;

    @BeforeAll
    void load() {
        tokenizer = TestVocabulary.load();
        compiler = new GrammarCompiler(tokenizer, tokenizer.endOfGeneration());
        runner = new GrammarRunner(tokenizer);
    }

    private CompiledGrammar compile(String schema, PropertyOrder order) {
        return compiler.compile(new Syntax.JsonSchema(schema, order, Syntax.Draft.DRAFT_2020, Map.of()), false);
    }

    @Test
    void whatRandomLogitsWriteIsWholeAtEveryLimit() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (String schema : SCHEMAS) {
            for (PropertyOrder order : PropertyOrder.values()) {
                CompiledGrammar grammar = compile(schema, order);
                int written = 0;
                for (int i = 0; i < 8; i++) {
                    int limit = 1 + random.nextInt(i % 4 == 0 ? 200 : 50);
                    try {
                        String text = runner.write(grammar, limit, random, 0.3);
                        assertTrue(runner.accepts(grammar, text), () -> "seed " + seed + ": " + text);
                        written++;
                    } catch (UzuException.GrammarDeadEnd e) {
                        assertEquals(Integer.toString(limit), e.details().get("left"), e::getMessage);
                    } catch (AssertionError e) {
                        throw new AssertionError("seed " + seed + ", limit " + limit + ", " + schema, e);
                    }
                }
                assertTrue(written > 0 || schema.length() > 100, schema);
            }
        }
    }

    @Test
    void tokensThatDoNotSufficeAreADeadEndBeforehand() {
        CompiledGrammar grammar = compile("{\"const\": \"abcdefgh\"}", PropertyOrder.FREE);
        UzuException.GrammarDeadEnd error = assertThrows(UzuException.GrammarDeadEnd.class, () -> grammar.start(3));
        assertEquals("3", error.details().get("left"));
    }

    @Test
    void noTextAtAllIsADeadEnd() {
        CompiledGrammar grammar =
                compile("{\"type\": \"string\", \"minLength\": 3, \"maxLength\": 2}", PropertyOrder.FREE);
        assertThrows(UzuException.GrammarDeadEnd.class, () -> grammar.start(1000));
    }
}
