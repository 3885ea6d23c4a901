package uzu.app;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import uzu.SamplingMethod;
import uzu.SamplingMethod.Stochastic;
import uzu.backend.Logits;
import uzu.backend.Sequence;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.generate.SamplingSpeed;
import uzu.model.LanguageModel;

/**
 * {@code bench sampling MODEL [--draws N]}: what drawing a token costs by the usual methods: from the
 * model's own logits along a text it draws itself, then from logits that are hard on it: spread evenly over one nat,
 * and all equal. The first draw is a fresh process's; the mean leaves the first third out.
 */
final class SamplingBench {
    private static final Stochastic PLAIN = Stochastic.create().withTemperature(1);
    private static final Stochastic USUAL =
            PLAIN.withTemperature(0.7).withTopK(20).withTopP(0.8);

    private final PrintStream out;

    SamplingBench(PrintStream out) {
        this.out = out;
    }

    private record Method(String name, SamplingMethod method, double[] seconds) {}

    int run(Arguments arguments) {
        String name = arguments.positional("MODEL");
        int draws = Integer.parseInt(arguments.option("draws", "300"));
        CpuOptions options = CpuOptions.defaults();
        arguments.finish();

        try (CpuBackend backend = CpuBackend.open(options);
                Checkpoint checkpoint = Models.open(name);
                LanguageModel model = LanguageModel.load(checkpoint, backend);
                Sequence sequence = model.executable().newSequence()) {
            int vocabulary = model.vocabularySize();
            Random random = new Random(1);
            int[] ids = new int[1];
            Supplier<Logits> next = () -> {
                Chain chain = new Chain(sequence, ids, 0, 1, true);
                model.executable().run(chain, () -> false, null);
                chain.commit();
                Logits logits = model.executable().logits(0);
                ids[0] = drawn(logits, vocabulary, random);
                return logits;
            };
            measure(vocabulary + " logits of " + name, vocabulary, draws, next);
            Logits made = next.get();
            for (int token = 0; token < vocabulary; token++) {
                made.set(token, random.nextFloat());
            }
            measure("over one nat", vocabulary, draws, () -> made);
            for (int token = 0; token < vocabulary; token++) {
                made.set(token, 1);
            }
            measure("all equal", vocabulary, draws, () -> made);
        }
        return 0;
    }

    /** At temperature 1, so that the text doesn't end up repeating itself. */
    private static int drawn(Logits logits, int vocabulary, Random random) {
        float[] copy = new float[vocabulary];
        logits.copy(copy);
        int best = 0;
        double largest = Double.NEGATIVE_INFINITY;
        for (int token = 0; token < vocabulary; token++) {
            double noisy = copy[token] - Math.log(-Math.log(random.nextDouble()));
            if (noisy > largest) {
                largest = noisy;
                best = token;
            }
        }
        return best;
    }

    private void measure(String what, int vocabulary, int draws, Supplier<Logits> logits) {
        Method[] methods = {
            new Method("greedy", new SamplingMethod.Greedy(), new double[draws]),
            new Method("temperature 1", PLAIN, new double[draws]),
            new Method("temperature 0.7", PLAIN.withTemperature(0.7), new double[draws]),
            new Method("top-k 40", PLAIN.withTopK(40), new double[draws]),
            new Method("top-p 0.95", PLAIN.withTopP(0.95), new double[draws]),
            new Method("min-p 0.05", PLAIN.withMinP(0.05), new double[draws]),
            new Method("temperature 0.7, top-k 20, top-p 0.8", USUAL, new double[draws]),
            new Method("the same, repetition penalty 1.1", USUAL.withRepetitionPenalty(1.1), new double[draws])
        };
        SamplingSpeed speed = new SamplingSpeed(vocabulary);
        for (int draw = 0; draw < draws; draw++) {
            Logits now = logits.get();
            for (Method method : methods) {
                method.seconds[draw] = speed.seconds(method.method, draw, now);
            }
        }
        out.printf("%n| %s | first, ms | mean | median | most |%n| --- | --- | --- | --- | --- |%n", what);
        for (Method method : methods) {
            double first = method.seconds[0];
            double[] settled = Arrays.copyOfRange(method.seconds, draws / 3, draws);
            Arrays.sort(settled);
            out.printf(
                    "| %s | %.3f | %.3f | %.3f | %.3f |%n",
                    method.name,
                    first * 1e3,
                    Arrays.stream(settled).average().orElse(Double.NaN) * 1e3,
                    settled[settled.length / 2] * 1e3,
                    settled[settled.length - 1] * 1e3);
        }
    }
}
