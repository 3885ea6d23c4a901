package uzu.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Greedy;
import uzu.SamplingMethod.Stochastic;
import uzu.UzuException;
import uzu.backend.ArrayLogits;
import uzu.speculate.Constraint;

class SamplerTest {
    @Test
    void greedyTakesTheLowestIdOfEqualLogits() {
        assertEquals(1, draw(new Greedy(), 0, 0, 0, 3, 2, 3));
    }

    @Test
    void temperatureZeroIsGreedyAfterPenalties() {
        Stochastic biased = Stochastic.create().withTemperature(0).withLogitBias(Map.of(2, 5.0));
        assertEquals(2, draw(biased, 0, 0, 0, 3, 2, 3));
    }

    @Test
    void aTinyTemperatureOverflowsNothing() {
        assertEquals(1, draw(Stochastic.create().withTemperature(1e-30), 0, 0, 10, 30, -20));
    }

    @Test
    void idsBeyondTheTokenizerAreNeverDrawn() {
        float[] logits = {0, 1, 0, 1000, 1000};
        Sampler sampler = new Sampler(3);
        for (int position = 0; position < 100; position++) {
            int token = sampler.draw(
                    Settings.of(Stochastic.create()), 1, path(position), 0, new ArrayLogits(logits.clone()));
            assertTrue(token < 3, "token " + token);
        }
        assertEquals(1, sampler.draw(Settings.of(new Greedy()), 1, path(0), 0, new ArrayLogits(logits.clone())));
    }

    @Test
    void theSameSeedAndPositionGiveTheSameTokensOnEveryMachine() {
        float[] logits = new float[1000];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = i % 37 * 0.1f;
        }
        Sampler sampler = new Sampler(logits.length);
        int[] tokens = new int[8];
        for (int position = 0; position < tokens.length; position++) {
            tokens[position] = sampler.draw(
                    Settings.of(Stochastic.create()), 42, path(position), 0, new ArrayLogits(logits.clone()));
        }
        assertArrayEquals(new int[] {28, 943, 477, 996, 870, 662, 803, 362}, tokens);
    }

    @Test
    void isTheArgmaxOfLogitsWithNoise() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Sampler sampler = new Sampler(997);
        for (int round = 0; round < 300; round++) {
            float[] logits = new float[997];
            double spread = 5 * random.nextDouble();
            for (int i = 0; i < logits.length; i++) {
                logits[i] = (float) (spread * random.nextGaussian());
            }
            float temperature = 0.1f + 2 * random.nextFloat();
            Settings settings = Settings.of(Stochastic.create().withTemperature(temperature));
            int position = random.nextInt(5000);
            int expected = argmaxWithNoise(logits, settings.temperature(), seed, position);
            assertEquals(
                    expected, sampler.draw(settings, seed, path(position), 0, new ArrayLogits(logits)), "seed " + seed);
        }
    }

    @Test
    void drawsFollowTheSoftmaxAtTemperatureEightTenths() {
        float[] logits = {1.5f, 0.3f, -0.7f, 2.2f, 0, -2, 1.1f, 0.9f};
        double[] expected = softmax(logits, 0.8);
        assertTrue(chiSquared(Stochastic.create().withTemperature(0.8), logits, expected) < 24.3);
    }

    @Test
    void filteredDrawsFollowTheRenormalisedSoftmax() {
        float[] logits = {1.5f, 0.3f, -0.7f, 2.2f, 0, -2, 1.1f, 0.9f};
        double[] expected = softmax(logits, 0.8);
        double kept = expected[3] + expected[0] + expected[6];
        for (int token = 0; token < logits.length; token++) {
            expected[token] = token == 3 || token == 0 || token == 6 ? expected[token] / kept : 0;
        }
        assertTrue(chiSquared(Stochastic.create().withTemperature(0.8).withTopK(3), logits, expected) < 13.8);
    }

    @Test
    void logitsThatAreNoNumbersAreATypedError() {
        assertThrows(UzuException.Internal.class, () -> draw(new Greedy(), 0, 0, 1, Float.NaN, 2));
        assertThrows(UzuException.Internal.class, () -> draw(new Greedy(), 0, 0, 1, Float.POSITIVE_INFINITY));
        assertThrows(UzuException.Internal.class, () -> draw(new Greedy(), 0, 0, Float.NEGATIVE_INFINITY));
    }

    private record Multiples(int of) implements Constraint {
        @Override
        public boolean accepts(int token) {
            return token % of == 0;
        }

        @Override
        public Constraint after(int token) {
            return this;
        }
    }

    @Test
    void aGreedyDrawIsTheLikeliestThatTheConstraintAccepts() {
        Random random = new Random(4);
        Sampler sampler = new Sampler(50);
        for (int trial = 0; trial < 300; trial++) {
            float[] logits = new float[50];
            int best = 0;
            int of = 1 + random.nextInt(24);
            for (int token = 0; token < 50; token++) {
                logits[token] = random.nextInt(40);
                best = token % of == 0 && logits[token] > logits[best] ? token : best;
            }
            assertEquals(
                    best,
                    sampler.draw(Settings.of(new Greedy()), 1, path(0), 0, new Multiples(of), new ArrayLogits(logits)));
        }
    }

    /** Bounds in the callers are the 0.999 quantiles for 7 and 2 degrees of freedom; the draws are always the same. */
    private static double chiSquared(SamplingMethod method, float[] logits, double[] expected) {
        int n = 200_000;
        int[] counts = new int[logits.length];
        Sampler sampler = new Sampler(logits.length);
        Settings settings = Settings.of(method);
        Tokens path = path(0);
        for (int i = 0; i < n; i++) {
            path.truncate(0);
            counts[sampler.draw(settings, i, path, 0, new ArrayLogits(logits.clone()))]++;
        }
        double sum = 0;
        for (int token = 0; token < logits.length; token++) {
            double mean = n * expected[token];
            if (mean == 0) {
                assertEquals(0, counts[token]);
            } else {
                sum += (counts[token] - mean) * (counts[token] - mean) / mean;
            }
        }
        return sum;
    }

    private static double[] softmax(float[] logits, double temperature) {
        double[] p = new double[logits.length];
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            p[i] = Math.exp(logits[i] / temperature);
            sum += p[i];
        }
        for (int i = 0; i < p.length; i++) {
            p[i] /= sum;
        }
        return p;
    }

    private static int argmaxWithNoise(float[] logits, float temperature, long seed, int position) {
        float top = Float.NEGATIVE_INFINITY;
        for (float logit : logits) {
            top = Math.max(top, logit);
        }
        int best = 0;
        double largest = Double.NEGATIVE_INFINITY;
        for (int token = 0; token < logits.length; token++) {
            double noisy = (logits[token] - top) / temperature + GumbelNoise.of(seed, position, token);
            if (noisy > largest) {
                largest = noisy;
                best = token;
            }
        }
        return best;
    }

    private static int draw(SamplingMethod method, long seed, int position, float... logits) {
        return new Sampler(logits.length).draw(Settings.of(method), seed, path(position), 0, new ArrayLogits(logits));
    }

    private static Tokens path(int length) {
        Tokens path = new Tokens();
        for (int i = 0; i < length; i++) {
            path.add(0);
        }
        return path;
    }
}
