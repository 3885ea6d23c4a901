package uzu.app.train;

import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import uzu.UzuException;
import uzu.backend.Candidates;
import uzu.backend.Logits;

/** Draws a token for a dialogue, and keeps the model's likeliest ones with their probabilities at temperature 1. */
final class Drawing {
    /** Tokens below e^−14 of the likeliest are neither drawn nor weighed. */
    private static final float REACH = 14;

    private final int vocabulary;
    private final Candidates candidates = new Candidates();
    private long[] sorted = new long[1024];
    private final int[] topIds = new int[Dialogue.TOP];
    private final float[] topProbabilities = new float[Dialogue.TOP];

    /** @param vocabulary tokens that may be drawn: ids below it */
    Drawing(int vocabulary) {
        this.vocabulary = vocabulary;
    }

    int[] topIds() {
        return topIds;
    }

    float[] topProbabilities() {
        return topProbabilities;
    }

    /** @param temperature 0: the likeliest token; otherwise drawn from the likeliest of 0.95 of the mass */
    int draw(Logits logits, float temperature, RandomGenerator random) {
        int best = logits.largest(vocabulary);
        if (best < 0) {
            throw new UzuException.Internal("the model's logits are not finite numbers", Map.of());
        }
        logits.gather(vocabulary, logits.get(best), 1, -REACH, Float.MAX_VALUE, candidates);
        sort();
        int count = candidates.size;
        double mass = 0;
        for (int i = 0; i < count; i++) {
            mass += Math.exp(value(sorted[i]));
        }
        for (int i = 0; i < Dialogue.TOP; i++) {
            topIds[i] = i < count ? (int) sorted[i] : 0;
            topProbabilities[i] = i < count ? (float) (Math.exp(value(sorted[i])) / mass) : 0;
        }
        return temperature == 0 ? (int) sorted[0] : nucleus(count, temperature, random);
    }

    private int nucleus(int count, float temperature, RandomGenerator random) {
        double mass = 0;
        for (int i = 0; i < count; i++) {
            mass += Math.exp(value(sorted[i]) / temperature);
        }
        double kept = 0;
        int last = 0;
        while (last < count && kept < 0.95 * mass) {
            kept += Math.exp(value(sorted[last++]) / temperature);
        }
        double at = random.nextDouble() * kept;
        for (int i = 0; i < last; i++) {
            at -= Math.exp(value(sorted[i]) / temperature);
            if (at < 0) {
                return (int) sorted[i];
            }
        }
        return (int) sorted[0];
    }

    /** By falling value, then rising id: the bits of values at most 0 grow as the values fall. */
    private void sort() {
        if (sorted.length < candidates.size) {
            sorted = new long[candidates.size * 2];
        }
        for (int i = 0; i < candidates.size; i++) {
            float value = candidates.values[i];
            sorted[i] = (Float.floatToRawIntBits(0f - value) & 0xFFFFFFFFL) << 32 | candidates.tokens[i];
        }
        Arrays.sort(sorted, 0, candidates.size);
    }

    private static float value(long key) {
        return 0f - Float.intBitsToFloat((int) (key >>> 32));
    }
}
