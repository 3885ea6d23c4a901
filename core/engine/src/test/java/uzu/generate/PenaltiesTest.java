package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import uzu.SamplingMethod.Stochastic;
import uzu.backend.ArrayLogits;

class PenaltiesTest {
    @Test
    void repetitionDividesPositiveAndMultipliesNegativeLogitsOnce() {
        float[] logits = {2, -2, 0, 4};
        apply(Stochastic.create().withRepetitionPenalty(2), logits, 0, 0, 0, 1, 2);
        assertArrayEquals(new float[] {1, -4, 0, 4}, logits);
    }

    @Test
    void repetitionSeesOnlyTheSuffixPromptIncluded() {
        float[] logits = {2, 2, 2, 2};
        apply(Stochastic.create().withRepetitionPenalty(2).withSuffixRepetitionLength(2), logits, 3, 0, 1, 2, 3);
        assertArrayEquals(new float[] {2, 2, 1, 1}, logits);
    }

    @Test
    void presenceAndFrequencyCountTheReplyOnly() {
        float[] logits = {5, 5, 5, 5};
        // The reply is 1, 1, 3.
        apply(Stochastic.create().withPresencePenalty(0.5).withFrequencyPenalty(0.25), logits, 2, 0, 1, 1, 1, 3);
        assertArrayEquals(new float[] {5, 4, 5, 4.25f}, logits);
    }

    @Test
    void biasIsAddedLast() {
        float[] logits = {4, 0, 0, 0};
        apply(Stochastic.create().withRepetitionPenalty(2).withLogitBias(Map.of(0, 1.0, 2, -3.0)), logits, 0, 0);
        assertArrayEquals(new float[] {3, 0, -3, 0}, logits);
    }

    @Test
    void extremeValuesEndAtTheLargestFloat() {
        float[] logits = {4, 0, -4, 1};
        Stochastic extreme = Stochastic.create().withRepetitionPenalty(1e-300);
        apply(extreme.withLogitBias(Map.of(3, Double.MAX_VALUE)), logits, 0, 0, 1);
        assertArrayEquals(new float[] {Float.MAX_VALUE, 0, -4, Float.MAX_VALUE}, logits);
        apply(Stochastic.create().withRepetitionPenalty(1e300), logits, 0, 1, 2);
        assertArrayEquals(new float[] {Float.MAX_VALUE, 0, -Float.MAX_VALUE, Float.MAX_VALUE}, logits);
    }

    private static void apply(Stochastic method, float[] logits, int replyStart, int... path) {
        Tokens tokens = new Tokens();
        for (int token : path) {
            tokens.add(token);
        }
        new Penalties(logits.length).apply(Settings.of(method), tokens, replyStart, new ArrayLogits(logits));
    }
}
