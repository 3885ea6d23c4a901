package uzu.app;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Random;
import uzu.backend.Sequence;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.model.LanguageModel;

/**
 * {@code bench model MODEL [--threads N] [--kernels NAME]}: load time, prefill and decode speed, and
 * what a pass costs by rows. Minimum of several runs; absolute times vary between machines.
 */
final class ModelBench {
    private static final int PROMPT = 256;
    private static final int DECODED = 64;
    private static final int[] ROWS = {1, 2, 4, 8, 16, 32};

    private final PrintStream out;

    ModelBench(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        String name = arguments.positional("MODEL");
        int threads = Integer.parseInt(arguments.option("threads", "0"));
        CpuOptions.Kernels kernels = arguments.oneOf("kernels", CpuOptions.Kernels.AUTO);
        int runs = Integer.parseInt(arguments.option("runs", "5"));
        arguments.finish();

        CpuOptions options = CpuOptions.defaults().withThreads(threads).withKernels(kernels);
        long start = System.nanoTime();
        try (CpuBackend backend = CpuBackend.open(options);
                Checkpoint checkpoint = Models.open(name);
                LanguageModel model = LanguageModel.load(checkpoint, backend)) {
            out.printf(
                    "%s, loaded in %.2f s, %d MB%n",
                    backend.description(), seconds(start), model.executable().memoryBytes() >> 20);
            int[] ids = new Random(1)
                    .ints(PROMPT + DECODED, 0, model.vocabularySize())
                    .toArray();
            double[] prefill = new double[runs];
            double[] decode = new double[runs];
            for (int i = 0; i < runs; i++) {
                try (Sequence sequence = model.executable().newSequence()) {
                    start = System.nanoTime();
                    int step = Math.min(PROMPT, model.executable().maxRows());
                    for (int from = 0; from < PROMPT; from += step) {
                        pass(model, sequence, ids, from, Math.min(step, PROMPT - from), false)
                                .commit();
                    }
                    prefill[i] = seconds(start);
                    start = System.nanoTime();
                    for (int at = PROMPT; at < PROMPT + DECODED; at++) {
                        pass(model, sequence, ids, at, 1, true).commit();
                    }
                    decode[i] = seconds(start);
                }
            }
            out.printf(
                    "prefill %d: %.1f tokens/s; decode: %.1f tokens/s%n",
                    PROMPT, PROMPT / min(prefill), DECODED / min(decode));
            rows(model, ids, runs);
        }
        return 0;
    }

    private void rows(LanguageModel model, int[] ids, int runs) {
        try (Sequence sequence = model.executable().newSequence()) {
            pass(model, sequence, ids, 0, 128, false).commit();
            for (int rows : ROWS) {
                double[] times = new double[runs * 4];
                for (int i = 0; i < times.length; i++) {
                    long start = System.nanoTime();
                    pass(model, sequence, ids, 128, rows, true);
                    times[i] = seconds(start);
                }
                out.printf("pass of %2d rows: %.2f ms%n", rows, min(times) * 1e3);
            }
        }
    }

    private static Chain pass(LanguageModel model, Sequence sequence, int[] ids, int from, int rows, boolean logits) {
        Chain chain = new Chain(sequence, ids, from, rows, logits);
        model.executable().run(chain, () -> false, null);
        return chain;
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private static double min(double[] values) {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }
}
