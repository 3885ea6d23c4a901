package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import uzu.backend.ArrayLogits;
import uzu.backend.FloatExp;

class FilterTest {
    /** Probabilities 0.5, 0.25, 0.125, 0.125. */
    private static final float[] HALVES = {0, ln(0.5), ln(0.25), ln(0.25)};

    @Test
    void topKKeepsTheLikeliestAndOfEqualOnesTheLowestIds() {
        assertEquals("{0}", kept(filter(1, 1, 0), HALVES));
        assertEquals("{0, 1}", kept(filter(2, 1, 0), HALVES));
        assertEquals("{0, 1, 2}", kept(filter(3, 1, 0), HALVES));
        assertEquals("{0, 1, 2, 3}", kept(filter(9, 1, 0), HALVES));
    }

    @Test
    void topPKeepsTokensWhileTheMassBeforeThemIsBelowP() {
        assertEquals("{0}", kept(filter(99, 0.01, 0), HALVES));
        assertEquals("{0}", kept(filter(99, 0.49, 0), HALVES));
        assertEquals("{0, 1}", kept(filter(99, 0.51, 0), HALVES));
        assertEquals("{0, 1, 2}", kept(filter(99, 0.8, 0), HALVES));
        assertEquals("{0, 1, 2, 3}", kept(filter(99, 0.9, 0), HALVES));
    }

    @Test
    void minPKeepsTokensByTheirShareOfTheLikeliest() {
        assertEquals("{0}", kept(filter(99, 1, 0.6), HALVES));
        assertEquals("{0, 1}", kept(filter(99, 1, 0.49), HALVES));
        assertEquals("{0, 1, 2, 3}", kept(filter(99, 1, 0.24), HALVES));
        assertEquals("{0}", kept(filter(99, 1, 1), HALVES));
    }

    @Test
    void eachFilterSeesTheWholeDistribution() {
        // After top-k 2 the rest would be 2/3 and 1/3; of the whole, token 1 begins at mass 0.5.
        assertEquals("{0, 1}", kept(filter(2, 0.6, 0), HALVES));
        assertEquals("{0}", kept(filter(2, 0.49, 0), HALVES));
    }

    @Test
    void keepsWhatSortingTheVocabularyWouldKeep() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Filter filter = new Filter();
        for (int round = 0; round < 500; round++) {
            int size = 1 + random.nextInt(3000);
            float[] scaled = randomLogits(random, size);
            Settings settings = filter(
                    random.nextBoolean() ? 1 + random.nextInt(size) : Integer.MAX_VALUE,
                    random.nextBoolean() ? 0.001 + 0.998 * random.nextDouble() : 1,
                    random.nextBoolean() ? random.nextDouble() * 0.1 : 0);
            assertEquals(bySorting(settings, scaled), kept(filter, settings, scaled), "seed " + seed + ", " + settings);
        }
    }

    private static float[] randomLogits(Random random, int size) {
        float[] logits = new float[size];
        double spread = random.nextBoolean() ? 0.01 : 8;
        float grain = random.nextBoolean() ? 0.25f : 1e-6f;
        float largest = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < size; i++) {
            logits[i] = Math.round(random.nextGaussian() * spread / grain) * grain;
            largest = Math.max(largest, logits[i]);
        }
        for (int i = 0; i < size; i++) {
            logits[i] = logits[i] - largest + 0f;
        }
        if (size > 2) {
            int excluded = random.nextInt(size);
            logits[excluded] = logits[excluded] == 0 ? 0 : Float.NEGATIVE_INFINITY;
        }
        return logits;
    }

    private static String bySorting(Settings settings, float[] scaled) {
        List<Integer> order = IntStream.range(0, scaled.length)
                .filter(i -> scaled[i] > Float.NEGATIVE_INFINITY)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -scaled[i]).thenComparing(i -> i))
                .toList();
        double total = FloatExp.all(scaled, 0, new float[scaled.length], scaled.length);
        BitSet kept = new BitSet();
        double before = 0;
        for (int rank = 0; rank < order.size(); rank++) {
            int token = order.get(rank);
            boolean possible = rank < settings.topK()
                    && (settings.topP() == 1 || before < settings.topP() * total)
                    && (settings.minP() == 0 || scaled[token] >= (float) StrictMath.log(settings.minP()));
            kept.set(token, possible);
            before += FloatExp.of(scaled[token]);
        }
        return kept.toString();
    }

    private static String kept(Settings settings, float[] scaled) {
        return kept(new Filter(), settings, scaled);
    }

    private static String kept(Filter filter, Settings settings, float[] scaled) {
        filter.find(settings, new ArrayLogits(scaled), scaled.length, 0);
        BitSet kept = new BitSet();
        for (int token = 0; token < scaled.length; token++) {
            float value = scaled[token];
            kept.set(token, filter.keeps(token, value));
        }
        return kept.toString();
    }

    private static Settings filter(int topK, double topP, double minP) {
        return new Settings(1, topK, topP, minP, 1, Integer.MAX_VALUE, 0, 0, Map.of());
    }

    private static float ln(double x) {
        return (float) StrictMath.log(x);
    }
}
