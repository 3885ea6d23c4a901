package uzu.app;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.stream.DoubleStream;
import uzu.backend.Sequence;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.backend.cpu.PassProfile;
import uzu.format.Checkpoint;
import uzu.model.LanguageModel;

/**
 * {@code bench profile MODEL [--rows 1,8,256] [--threads N] [--kernels auto|scalar|avx2|avx512]}: where the time of a
 * pass goes, by kinds of phases; means over two seconds of passes at position 128. Up to 32 rows all want their logits,
 * as a draft's do; of more none, as a prompt's.
 */
final class ProfileBench {
    private static final int COMMITTED = 128;
    private static final int MOST_HEAD_ROWS = 32;
    private static final double WARM_UP_SECONDS = 1;
    private static final double SECONDS = 2;

    private final PrintStream out;

    ProfileBench(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        String name = arguments.positional("MODEL");
        int threads = Integer.parseInt(arguments.option("threads", "0"));
        int[] rows = Arrays.stream(arguments.option("rows", "1,8,256").split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
        CpuOptions.Kernels kernels =
                CpuOptions.Kernels.valueOf(arguments.option("kernels", "auto").toUpperCase(Locale.ROOT));
        arguments.finish();

        CpuOptions options = CpuOptions.defaults().withThreads(threads).withKernels(kernels);
        try (CpuBackend backend = CpuBackend.open(options);
                Checkpoint checkpoint = Models.open(name);
                LanguageModel model = LanguageModel.load(checkpoint, backend);
                Sequence sequence = model.executable().newSequence()) {
            int most = Math.max(COMMITTED, Arrays.stream(rows).max().orElse(1));
            int[] ids = new Random(1)
                    .ints(COMMITTED + most, 0, model.vocabularySize())
                    .toArray();
            Chain prompt = new Chain(sequence, ids, 0, COMMITTED, false);
            model.executable().run(prompt, () -> false, null);
            prompt.commit();
            out.println(backend.description());
            for (int count : rows) {
                profile(model, new Chain(sequence, ids, COMMITTED, count, count <= MOST_HEAD_ROWS));
            }
        }
        return 0;
    }

    private void profile(LanguageModel model, Chain chain) {
        try (PassProfile profile = PassProfile.start(model.executable())) {
            passes(model, chain, WARM_UP_SECONDS);
            profile.clear();
            double[] times = passes(model, chain, SECONDS);
            double mean = Arrays.stream(times).average().orElseThrow();
            out.printf("%n| %d rows, ms | share | idle | GB/s | phases | |%n", chain.size());
            out.println("| --- | --- | --- | --- | --- | --- |");
            double inside = 0;
            for (PassProfile.Share share : profile.shares()) {
                inside += share.seconds();
                out.printf(
                        "| %.3f | %.1f %% | %.0f %% | %s | %d | %s |%n",
                        share.seconds() * 1e3,
                        100 * share.seconds() / mean,
                        100 * share.idle(),
                        share.bytes() == 0 ? "" : String.format("%.1f", share.bytes() / share.seconds() / 1e9),
                        share.phases(),
                        share.name());
            }
            double outside = mean - inside;
            out.printf("| %.3f | %.1f %% | | | | before and after |%n", outside * 1e3, 100 * outside / mean);
            out.printf(
                    "| %.3f | | | | | whole pass; median %.3f, least %.3f |%n",
                    mean * 1e3, times[times.length / 2] * 1e3, times[0] * 1e3);
        }
    }

    /** The seconds of each pass, in rising order. */
    private static double[] passes(LanguageModel model, Chain chain, double seconds) {
        DoubleStream.Builder times = DoubleStream.builder();
        double total = 0;
        while (total < seconds) {
            long start = System.nanoTime();
            model.executable().run(chain, () -> false, null);
            double time = (System.nanoTime() - start) / 1e9;
            times.add(time);
            total += time;
        }
        return times.build().sorted().toArray();
    }
}
