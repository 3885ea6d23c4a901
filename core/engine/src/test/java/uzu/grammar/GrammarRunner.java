package uzu.grammar;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import uzu.backend.ArrayLogits;
import uzu.speculate.Constraint;
import uzu.tokenizer.Tokenizer;

/** Texts through the states of a grammar: given ones, and what random logits write. */
record GrammarRunner(Tokenizer tokenizer) {
    /** Whether the grammar accepts {@code text} as the tokenizer cuts it. */
    boolean accepts(CompiledGrammar grammar, String text) {
        Constraint state = grammar.start(Integer.MAX_VALUE);
        for (int token : tokenizer.encode(text, true)) {
            if (!state.accepts(token)) {
                return false;
            }
            state = state.after(token);
        }
        return state.accepts(tokenizer.endOfGeneration()[0]);
    }

    /**
     * A text of at most {@code limit} tokens, the end token included.
     *
     * @param eager the chance to end where that is possible
     */
    String write(CompiledGrammar grammar, int limit, Random random, double eager) {
        Constraint state = grammar.start(limit);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int end = tokenizer.endOfGeneration()[0];
        float[] logits = new float[tokenizer.size()];
        for (int i = 0; i < limit; i++) {
            java.util.Arrays.fill(logits, 0);
            state.mask(new ArrayLogits(logits), logits.length);
            int token = random.nextDouble() < eager && logits[end] == 0 ? end : draw(logits, random);
            if (token == end) {
                return text.toString(StandardCharsets.UTF_8);
            }
            if (!state.accepts(token)) {
                throw new AssertionError("the mask allows token " + token + " and the state doesn't, after " + text);
            }
            state = state.after(token);
            text.writeBytes(tokenizer.bytes(token));
        }
        throw new AssertionError("not ended with " + limit + " tokens: " + text);
    }

    private static int draw(float[] logits, Random random) {
        int allowed = 0;
        for (float logit : logits) {
            allowed += logit == 0 ? 1 : 0;
        }
        int pick = random.nextInt(allowed);
        int token = -1;
        while (pick >= 0) {
            token++;
            pick -= logits[token] == 0 ? 1 : 0;
        }
        return token;
    }
}
