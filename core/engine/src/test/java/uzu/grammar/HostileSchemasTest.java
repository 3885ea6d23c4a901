package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import uzu.UzuException;
import uzu.backend.ArrayLogits;
import uzu.speculate.Constraint;
import uzu.tokenizer.Tokenizer;

/** Schemas that are large, deep, circular or unsatisfiable: a grammar or a typed error, in time. */
@Timeout(200)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileSchemasTest {
    private static final double MOST_SECONDS = 10;

    private Tokenizer tokenizer;
    private GrammarCompiler compiler;

    @BeforeAll
    void load() {
        tokenizer = TestVocabulary.load();
        compiler = new GrammarCompiler(tokenizer, tokenizer.endOfGeneration());
        compiler.compile(Syntax.json(), false);
    }

    private static String list(int count, String each) {
        return IntStream.range(0, count)
                .mapToObj(i -> each.replace("%", Integer.toString(i)))
                .collect(Collectors.joining(","));
    }

    private static Map<String, String> schemas() {
        Map<String, String> schemas = new LinkedHashMap<>();
        schemas.put("400 levels of properties", "{\"properties\":{\"a\":".repeat(400) + "true" + "}}".repeat(400));
        schemas.put("20,000 levels of items", "{\"items\":".repeat(20_000) + "true" + "}".repeat(20_000));
        schemas.put("900 levels of not", "{\"not\":".repeat(900) + "true" + "}".repeat(900));
        schemas.put("10,000 values", "{\"enum\":[" + list(10_000, "\"value %\"") + "]}");
        schemas.put("10,000 mixed values", "{\"enum\":[" + list(5_000, "%,\"v%\"") + "]}");
        schemas.put("1,000 properties", "{\"properties\":{" + list(1000, "\"p%\":{\"type\":\"integer\"}") + "}}");
        schemas.put(
                "1,000 required properties",
                "{\"type\":\"object\",\"properties\":{" + list(1000, "\"p%\":{\"type\":\"integer\"}")
                        + "},\"required\":[" + list(1000, "\"p%\"") + "],\"additionalProperties\":false}");
        schemas.put("a reference to itself", "{\"$ref\":\"#\"}");
        schemas.put(
                "a circle",
                "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}");
        schemas.put("a circle of allOf", "{\"allOf\":[{\"$ref\":\"#\"},{\"type\":\"object\"}]}");
        schemas.put("without an end", "{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"#\"}}");
        schemas.put(
                "100 branches",
                "{\"anyOf\":[" + list(100, "{\"properties\":{\"k\":{\"const\":%},\"v%\":true},\"required\":[\"k\"]}")
                        + "]}");
        schemas.put(
                "100 exclusive branches",
                "{\"oneOf\":[" + list(100, "{\"properties\":{\"k\":{\"const\":%},\"v%\":true},\"required\":[\"k\"]}")
                        + "]}");
        schemas.put(
                "12 times 12 branches",
                "{\"allOf\":[" + list(12, "{\"anyOf\":[" + list(12, "{\"required\":[\"r%\"]}") + "]}") + "]}");
        schemas.put("nothing", "{\"type\":\"string\",\"enum\":[1,2]}");
        schemas.put("nothing by bounds", "{\"type\":\"integer\",\"minimum\":3,\"maximum\":2}");
        schemas.put("nothing by a pattern", "{\"type\":\"string\",\"pattern\":\"^a+$\",\"format\":\"date\"}");
        schemas.put("long strings", "{\"type\":\"string\",\"minLength\":90000,\"maxLength\":100000}");
        schemas.put(
                "many items",
                "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"maxLength\":5},\"minItems\":1000000000}");
        schemas.put("counts in counts", "{\"type\":\"string\",\"pattern\":\"^((a{1,1000}){1,1000}b){1,1000}$\"}");
        schemas.put("many options", "{\"type\":\"string\",\"pattern\":\"^(a?){60}a{60}$\"}");
        schemas.put("far back", "{\"type\":\"string\",\"pattern\":\"^(.*a.{40}b|.*c.{40}d)$\"}");
        schemas.put(
                "two expressions",
                "{\"type\":\"string\",\"allOf\":[{\"pattern\":\"^.*a.{20}$\"},{\"pattern\":\"^.*b.{21}$\"}]}");
        schemas.put("large numbers", "{\"type\":\"number\",\"minimum\":1e400,\"maximum\":1e999,\"multipleOf\":1e-300}");
        schemas.put("a large exponent", "{\"type\":\"number\",\"maximum\":1e999999999}");
        schemas.put("odd multiples", "{\"type\":\"integer\",\"multipleOf\":999999999989}");
        schemas.put("a wrong type", "{\"type\":\"strange\"}");
        schemas.put("a wrong value", "{\"minLength\":\"x\",\"properties\":3,\"required\":{}}");
        schemas.put("no JSON", "{\"type\":");
        schemas.put("a lone surrogate", "{\"const\":\"\\ud800\"}");
        return schemas;
    }

    @Test
    void endInTime() {
        StringBuilder faults = new StringBuilder();
        schemas().forEach((name, schema) -> {
            long start = System.nanoTime();
            String result = resultInTime(schema);
            double seconds = (System.nanoTime() - start) / 1e9;
            if (result.startsWith("!") || seconds > MOST_SECONDS) {
                faults.append("\n%s: %.1f s, %s".formatted(name, seconds, result));
            }
        });
        assertTrue(faults.isEmpty(), faults::toString);
    }

    private String resultInTime(String schema) {
        String[] result = {""};
        Thread thread = Thread.ofPlatform().daemon().start(() -> result[0] = result(schema));
        try {
            if (thread.join(Duration.ofSeconds((long) MOST_SECONDS))) {
                return result[0];
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "!still at " + List.of(thread.getStackTrace()).stream().limit(8).toList();
    }

    private String result(String schema) {
        try {
            CompiledGrammar grammar = compiler.compile(Syntax.jsonSchema(schema), false);
            Constraint state = grammar.start(2_000_000);
            float[] logits = new float[tokenizer.size()];
            for (int i = 0; i < 20 && !state.accepts(tokenizer.endOfGeneration()[0]); i++) {
                java.util.Arrays.fill(logits, 0);
                state.mask(new ArrayLogits(logits), logits.length);
                int token = 0;
                while (logits[token] == Float.NEGATIVE_INFINITY) {
                    token++;
                }
                state = state.after(token);
            }
            return "a grammar";
        } catch (UzuException typed) {
            return typed.code() + " " + typed.getMessage();
        } catch (StackOverflowError | OutOfMemoryError | RuntimeException untyped) {
            StackTraceElement[] trace = untyped.getStackTrace();
            return "!" + untyped + " at " + (trace.length == 0 ? "?" : trace[0])
                    + (trace.length < 30 ? "" : " … " + trace[29]);
        }
    }
}
