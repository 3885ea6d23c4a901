package uzu.generate;

import java.util.Arrays;
import java.util.Random;
import uzu.SamplingMethod;
import uzu.backend.Logits;

/** Measures drawing a token. For one thread. */
public final class SamplingSpeed {
    private static final int RUNS = 200;
    private static final int PATH = 256;

    private final Sampler sampler;
    private final Tokens path = new Tokens();

    /** @param vocabulary how many of the logits are tokens */
    public SamplingSpeed(int vocabulary) {
        sampler = new Sampler(vocabulary);
        Random random = new Random(5);
        for (int i = 0; i < PATH; i++) {
            path.add(random.nextInt(vocabulary));
        }
    }

    /** Seconds that one draw takes; what penalties change stays changed. */
    public double seconds(SamplingMethod method, long seed, Logits logits) {
        Settings settings = Settings.of(method);
        long start = System.nanoTime();
        sampler.draw(settings, seed, path, PATH / 2, logits);
        return (System.nanoTime() - start) / 1e9;
    }

    /**
     * Seconds that a token takes, the median of some, over {@code vocabulary} logits like a model's: many small ones, a
     * few large.
     *
     * @param logits overwritten
     */
    public static double secondsPerToken(SamplingMethod method, int vocabulary, Logits logits) {
        Random random = new Random(5);
        for (int token = 0; token < vocabulary; token++) {
            logits.set(token, (float) (3 * random.nextGaussian()));
        }
        for (int i = 0; i < 20; i++) {
            int token = random.nextInt(vocabulary);
            logits.set(token, logits.get(token) + 8 + random.nextInt(8));
        }
        SamplingSpeed speed = new SamplingSpeed(vocabulary);
        double[] seconds = new double[RUNS];
        for (int run = 0; run < 2 * RUNS; run++) {
            seconds[run % RUNS] = speed.seconds(method, run, logits);
        }
        Arrays.sort(seconds);
        return seconds[RUNS / 2];
    }
}
