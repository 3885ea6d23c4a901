package uzu.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import uzu.PropertyOrder;
import uzu.UzuException;
import uzu.speculate.Constraint;
import uzu.tokenizer.Tokenizer;

/**
 * JSON-Schema-Test-Suite through the tokens of a real vocabulary: every instance in several spellings, byte by byte and
 * as the tokenizer cuts it.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemaSuiteTest {
    /** {@code -Dsurefire.args=-Duzu.show=true} prints what is refused, and the counts. */
    private static final boolean SHOWS = Boolean.getBoolean("uzu.show");

    private Tokenizer tokenizer;
    private GrammarCompiler compiler;
    private int[] byteTokens;
    private Map<String, String> remotes;

    @BeforeAll
    void load() throws IOException {
        tokenizer = TestVocabulary.load();
        compiler = new GrammarCompiler(tokenizer, tokenizer.endOfGeneration());
        byteTokens = TestVocabulary.bytes(tokenizer);
        remotes = SchemaSuite.remotes();
    }

    /** What came of a part of the suite. */
    private static final class Counts {
        int schemas;
        int refused;
        int valid;
        int accepted;
        int invalid;
        final Map<String, Integer> reasons = new TreeMap<>();
        final List<String> missed = new ArrayList<>();
        final List<String> wrong = new ArrayList<>();

        @Override
        public String toString() {
            return "%d of %d schemas refused %s; %d of %d valid instances accepted (not: %s); %d invalid ones, of which accepted: %s"
                    .formatted(refused, schemas, reasons, accepted, valid, missed, invalid, wrong);
        }
    }

    @Test
    void draft2020() throws IOException {
        Counts counts = count(Syntax.Draft.DRAFT_2020, new SchemaSuite("draft2020-12").groups());
        assertEquals(List.of(), counts.wrong, counts::toString);
        assertEquals(368, counts.schemas);
        assertTrue(counts.refused < 90, counts::toString);
        assertTrue(counts.accepted >= 0.97 * counts.valid, counts::toString);
    }

    @Test
    void draft7() throws IOException {
        Counts counts = count(Syntax.Draft.DRAFT_7, new SchemaSuite("draft7").groups());
        assertEquals(List.of(), counts.wrong, counts::toString);
        assertEquals(254, counts.schemas);
        assertTrue(counts.refused < 45, counts::toString);
        assertTrue(counts.accepted >= 0.97 * counts.valid, counts::toString);
    }

    @Test
    void formats() throws IOException {
        for (String draft : List.of("draft7", "draft2020-12")) {
            Counts counts = count(draft(draft), new SchemaSuite(draft).optional("format"));
            assertEquals(List.of(), counts.wrong, counts::toString);
            assertTrue(counts.refused <= 5, counts::toString);
            assertTrue(counts.accepted >= 0.95 * counts.valid, counts::toString);
        }
    }

    /** But that encoded content is looked into, which the drafts leave to whoever reads it. */
    @Test
    void whatIsOptional() throws IOException {
        for (String draft : List.of("draft7", "draft2020-12")) {
            List<SchemaSuite.Group> groups = new SchemaSuite(draft).optional("");
            groups.removeIf(group -> group.file().equals("content"));
            Counts counts = count(draft(draft), groups);
            assertEquals(List.of(), counts.wrong, counts::toString);
            assertTrue(counts.accepted >= 0.9 * counts.valid, counts::toString);
        }
    }

    private static Syntax.Draft draft(String name) {
        return name.equals("draft7") ? Syntax.Draft.DRAFT_7 : Syntax.Draft.DRAFT_2020;
    }

    private Counts count(Syntax.Draft draft, List<SchemaSuite.Group> groups) {
        Counts counts = new Counts();
        for (SchemaSuite.Group group : groups) {
            counts.schemas++;
            CompiledGrammar grammar;
            try {
                grammar = compiler.compile(
                        new Syntax.JsonSchema(group.schema(), PropertyOrder.FREE, draft, remotes), false);
            } catch (UzuException.GrammarUnsupported refusal) {
                counts.refused++;
                counts.reasons.merge(refusal.details().getOrDefault("keyword", "?"), 1, Integer::sum);
                if (SHOWS) {
                    System.out.println(group + ": " + refusal.getMessage());
                }
                continue;
            }
            for (SchemaSuite.Case each : group.cases()) {
                if (!each.isAnnotationOnly()) {
                    count(group, each, grammar, counts);
                }
            }
        }
        if (SHOWS) {
            System.out.println(draft + ": " + counts);
        }
        return counts;
    }

    private void count(SchemaSuite.Group group, SchemaSuite.Case each, CompiledGrammar grammar, Counts counts) {
        boolean all = true;
        boolean any = false;
        for (JsonSpelling spelling : JsonSpelling.values()) {
            String text = spelling.of(each.data());
            boolean byToken = accepts(grammar, tokenizer.encode(text, false));
            boolean byByte = accepts(grammar, singles(text));
            assertEquals(byByte, byToken, () -> group + ": " + text);
            all &= byToken;
            any |= byToken;
        }
        if (each.valid()) {
            counts.valid++;
            if (all) {
                counts.accepted++;
            } else {
                counts.missed.add(group + ": " + each.description());
            }
        } else {
            counts.invalid++;
            if (any) {
                counts.wrong.add(group + ": " + each.description() + " " + each.data());
            }
        }
    }

    private int[] singles(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = byteTokens[bytes[i] & 0xFF];
        }
        return ids;
    }

    private boolean accepts(CompiledGrammar grammar, int[] tokens) {
        Constraint constraint;
        try {
            constraint = grammar.start(1_000_000);
        } catch (UzuException.GrammarDeadEnd nothingIsAllowed) {
            return false;
        }
        for (int token : tokens) {
            if (!constraint.accepts(token)) {
                return false;
            }
            constraint = constraint.after(token);
        }
        return constraint.accepts(tokenizer.endOfGeneration()[0]);
    }
}
