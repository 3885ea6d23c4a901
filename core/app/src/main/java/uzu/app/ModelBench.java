package uzu.app;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import uzu.KvCache;
import uzu.backend.cpu.CpuOptions;
import uzu.backend.cpu.MachineLimits;
import uzu.format.Checkpoint;

/**
 * {@code bench model MODEL…}: how fast a model decodes and reads prompts and what a pass costs by rows, alone or beside
 * a peer that runs the same file on the same threads in the same rounds.
 */
final class ModelBench {
    private static final int SHORT_CONTEXT = 128;

    private final PrintStream out;

    ModelBench(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        Plan plan = Plan.of(arguments);
        Machine machine = Machine.here();
        out.println(machine.line());
        Map<Integer, Double> readLimits = readLimits(plan.threads);
        ModelReport report = new ModelReport(readLimits);
        List<ModelFigures> models = new ArrayList<>();
        for (String name : plan.models) {
            ModelFigures figures = measure(Models.path(name), plan);
            models.add(figures);
            out.printf("%n%s, kernels %s; %s%n", figures.file(), figures.kernels(), report.limits(figures));
            StartFigures start = figures.start();
            if (start != null) {
                StartBench.print(start, out);
            }
            out.print(report.table(figures).text());
        }
        if (!plan.json.isEmpty()) {
            OutputFile.write(plan.json, new ModelJson(machine, readLimits, models).text());
        }
        if (!plan.markdown.isEmpty()) {
            OutputFile.write(plan.markdown, machine.line() + "\n\n" + report.markdown(models));
        }
        return 0;
    }

    private static Map<Integer, Double> readLimits(int[] threads) {
        Map<Integer, Double> limits = new TreeMap<>();
        try (MachineLimits machine = new MachineLimits()) {
            for (int count : threads) {
                limits.put(count, machine.readBytesPerSecond(count));
            }
        }
        return limits;
    }

    private ModelFigures measure(Path path, Plan plan) {
        int most = Arrays.stream(plan.threads).max().orElse(1);
        StartFigures start = plan.start ? StartBench.inFreshProcess(path, most, plan.kernels) : null;
        CpuOptions options = CpuOptions.defaults()
                .withThreads(most)
                .withKernels(plan.kernels)
                .withCache(plan.cache);
        List<Measure> measures = plan.measures();
        int length = measures.stream()
                .mapToInt(measure -> measure.context() + measure.tokens())
                .max()
                .orElse(1);
        try (Checkpoint checkpoint = Models.open(path.toString());
                OwnModel ours = new OwnModel(
                        checkpoint,
                        options,
                        vocabulary -> new Random(1).ints(length, 0, vocabulary).toArray());
                @Nullable PeerModel peer =
                                plan.peer.isEmpty() ? null : new PeerModel(plan.peer, path, ours.ids(), plan.flash)) {
            List<Timing> timings = new Rounds(ours, peer, plan.threads, plan.rounds).run(measures);
            return new ModelFigures(
                    path.getFileName().toString(),
                    readBytes(checkpoint),
                    ours.kernels(),
                    plan.cache.name(),
                    timings,
                    start);
        }
    }

    /** Of an embedding table that isn't the readout too, a row reads next to nothing. */
    private static long readBytes(Checkpoint checkpoint) {
        long all = checkpoint.tensorBytes();
        boolean ownReadout = checkpoint.tensors().containsKey("output.weight")
                || checkpoint.tensors().containsKey("lm_head.weight");
        return !ownReadout
                ? all
                : all
                        - checkpoint.tensors().entrySet().stream()
                                .filter(tensor -> tensor.getKey().startsWith("token_embd.")
                                        || tensor.getKey().contains("embed_tokens."))
                                .mapToLong(tensor -> tensor.getValue().data().byteSize())
                                .sum();
    }

    /** What the command line asks for. */
    private record Plan(
            List<String> models,
            int[] threads,
            CpuOptions.Kernels kernels,
            KvCache cache,
            int[] prefill,
            int[] rows,
            int[] contexts,
            int rounds,
            String peer,
            PeerModel.Flash flash,
            boolean start,
            String json,
            String markdown) {
        static Plan of(Arguments arguments) {
            List<String> models = arguments.positionals("MODEL");
            String peer = arguments.option("against", "");
            int cores = Runtime.getRuntime().availableProcessors();
            Plan plan = new Plan(
                    models,
                    arguments.counts("threads", cores == 1 ? "1" : "1," + cores),
                    arguments.oneOf("kernels", CpuOptions.Kernels.AUTO),
                    arguments.oneOf("cache", KvCache.F16),
                    arguments.counts("prefill", peer.isEmpty() ? "128,512,2048" : "512"),
                    arguments.counts("rows", peer.isEmpty() ? "1,2,4,8,16,32" : "1,8"),
                    arguments.counts("context", SHORT_CONTEXT + ",4096"),
                    arguments.count("rounds", 5),
                    peer,
                    arguments.oneOf("flash", PeerModel.Flash.AUTO),
                    arguments.yes("start", peer.isEmpty()),
                    arguments.option("json", ""),
                    arguments.option("markdown", ""));
            arguments.finish();
            return plan;
        }

        /** Passes of rows only at the first context. */
        List<Measure> measures() {
            List<Measure> measures = new ArrayList<>();
            for (int i = 0; i < contexts.length; i++) {
                measures.add(new Measure.Decode(contexts[i]));
                if (i == 0) {
                    for (int count : rows) {
                        measures.add(new Measure.Rows(count, contexts[i]));
                    }
                }
            }
            for (int tokens : prefill) {
                measures.add(new Measure.Prefill(tokens));
            }
            return measures;
        }
    }
}
