package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import uzu.UzuException;
import uzu.backend.ArrayLogits;
import uzu.speculate.Constraint;
import uzu.tokenizer.Tokenizer;

/**
 * Texts drawn at random from the masks of random schemas: each ends in the tokens it may have, and another
 * implementation of JSON Schema finds it valid.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrammarWalkTest {
    private static final int CHECKED_TOKENS = 40;

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

    private Tokenizer tokenizer;
    private GrammarCompiler compiler;
    private int end;

    @BeforeAll
    void load() {
        tokenizer = TestVocabulary.load();
        compiler = new GrammarCompiler(tokenizer, tokenizer.endOfGeneration());
        end = tokenizer.endOfGeneration()[0];
    }

    @Test
    void randomSchemasGiveValidTextsOnly() {
        long seed = Long.getLong("seed", System.nanoTime());
        int schemas = Integer.getInteger("uzu.walks", 40);
        int walked = 0;
        int refused = 0;
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < schemas; i++) {
            Random random = new Random(seed + i);
            String schema = new RandomSchema(random).text();
            CompiledGrammar grammar;
            try {
                grammar = compiler.compile(Syntax.jsonSchema(schema), false);
            } catch (UzuException.GrammarUnsupported refusal) {
                refused++;
                continue;
            }
            Schema judge = registry.getSchema(schema, InputFormat.JSON);
            for (int k = 0; k < 4; k++) {
                String what = "seed " + (seed + i) + ", walk " + k + " of " + schema;
                try {
                    String text = walk(grammar, random, k % 2 == 0 ? 0 : 1 + random.nextInt(120), what);
                    if (text == null) {
                        break;
                    }
                    walked++;
                    List<Error> errors = judge.validate(text, InputFormat.JSON);
                    assertEquals(List.of(), errors, () -> what + " gave " + text);
                } catch (AssertionError fault) {
                    faults.add(String.valueOf(fault.getMessage()));
                    break;
                }
            }
        }
        assertEquals(List.of(), faults, () -> faults.size() + " faults: " + String.join("\n", faults));
        int all = walked;
        int not = refused;
        assertTrue(walked > 2 * schemas, () -> all + " walks, " + not + " schemas refused, seed " + seed);
    }

    /** @param limit 0: as tight as can be; null where nothing is allowed */
    private String walk(CompiledGrammar grammar, Random random, int limit, String what) {
        Constraint state;
        int left = Math.max(1, limit);
        try {
            state = grammar.start(left);
        } catch (UzuException.GrammarDeadEnd tooFew) {
            int least = Integer.parseInt(tooFew.details().get("tokens"));
            if (least > 5000) {
                return null;
            }
            left = least;
            state = grammar.start(left);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (; left > 0; left--) {
            int token = draw(state, random, what, text);
            if (token == end) {
                return text.toString(StandardCharsets.UTF_8);
            }
            text.writeBytes(tokenizer.bytes(token));
            state = state.after(token);
        }
        return fail(what + " doesn't end: " + text.toString(StandardCharsets.UTF_8));
    }

    private int draw(Constraint state, Random random, String what, ByteArrayOutputStream text) {
        int size = tokenizer.size();
        float[] values = new float[size];
        String so = what + " after " + text.toString(StandardCharsets.UTF_8);
        try {
            state.mask(new ArrayLogits(values), size);
        } catch (UzuException.GrammarDeadEnd deadEnd) {
            return fail(so + ": " + deadEnd.getMessage());
        }
        int[] allowed = new int[size];
        int n = 0;
        for (int token = 0; token < size; token++) {
            if (values[token] != Float.NEGATIVE_INFINITY) {
                allowed[n++] = token;
            }
        }
        assertTrue(n > 0, so);
        for (int i = 0; i < CHECKED_TOKENS; i++) {
            int token = i % 2 == 0 ? random.nextInt(size) : allowed[random.nextInt(n)];
            boolean masked = values[token] == Float.NEGATIVE_INFINITY;
            assertEquals(
                    !masked,
                    state.accepts(token),
                    () -> so + ": token " + token + " " + new String(tokenizer.bytes(token), StandardCharsets.UTF_8));
        }
        if (state.forced() >= 0) {
            assertEquals(1, n, so);
            assertEquals(allowed[0], state.forced(), so);
        }
        // short tokens rarely, white space not for ever, and an end when there is one
        if (values[end] != Float.NEGATIVE_INFINITY && random.nextInt(3) == 0) {
            return end;
        }
        int best = allowed[random.nextInt(n)];
        for (int i = 0; i < 3 && new String(tokenizer.bytes(best), StandardCharsets.UTF_8).isBlank(); i++) {
            best = allowed[random.nextInt(n)];
        }
        return best;
    }
}
