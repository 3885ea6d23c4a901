package uzu.generate;

import java.util.Arrays;
import java.util.Random;
import uzu.SamplingMethod;

/** Measures drawing a token from logits like a model's: many small ones, a few large. */
public final class SamplingSpeed {
    private static final int RUNS = 200;

    private SamplingSpeed() {}

    /** Seconds that a token takes, the median of some, over {@code vocabulary} logits. */
    public static double secondsPerToken(SamplingMethod method, int vocabulary) {
        Random random = new Random(5);
        float[] logits = new float[vocabulary];
        for (int i = 0; i < vocabulary; i++) {
            logits[i] = (float) (3 * random.nextGaussian());
        }
        for (int i = 0; i < 20; i++) {
            logits[random.nextInt(vocabulary)] += 8 + random.nextInt(8);
        }
        Tokens path = new Tokens();
        for (int i = 0; i < 256; i++) {
            path.add(random.nextInt(vocabulary));
        }
        Sampler sampler = new Sampler(vocabulary);
        Settings settings = Settings.of(method);
        double[] seconds = new double[RUNS];
        for (int run = 0; run < 2 * RUNS; run++) {
            float[] copy = logits.clone();
            long start = System.nanoTime();
            sampler.draw(settings, run, path, 0, copy);
            seconds[run % RUNS] = (System.nanoTime() - start) / 1e9;
        }
        Arrays.sort(seconds);
        return seconds[RUNS / 2];
    }
}
