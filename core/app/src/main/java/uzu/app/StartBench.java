package uzu.app;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;
import uzu.UzuException;
import uzu.backend.Sequence;
import uzu.backend.cpu.CpuBackend;
import uzu.backend.cpu.CpuOptions;
import uzu.format.Checkpoint;
import uzu.model.LanguageModel;

/**
 * {@code bench start MODEL [--threads N] [--kernels NAME] [--json FILE]}: what a process that has just begun takes for
 * loading, its first passes and the first token of a prompt, and how much memory. {@code bench model} runs it in a
 * process of its own.
 */
final class StartBench {
    private static final int FIRST = 10;
    private static final int UNTIL_SETTLED = 100;
    private static final int SETTLED = 25;
    private static final int PROMPT = 512;

    private final PrintStream out;

    StartBench(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        String model = arguments.positional("MODEL");
        CpuOptions options = CpuOptions.defaults()
                .withThreads(Integer.parseInt(arguments.option("threads", "0")))
                .withKernels(arguments.oneOf("kernels", CpuOptions.Kernels.AUTO));
        String file = arguments.option("json", "");
        arguments.finish();
        StartFigures figures = measure(Models.path(model).toString(), options);
        print(figures, out);
        if (!file.isEmpty()) {
            new JsonMapper().writeValue(Path.of(file).toFile(), figures);
        }
        return 0;
    }

    /** Runs it in a process like this one. */
    static StartFigures inFreshProcess(Path model, int threads, CpuOptions.Kernels kernels) {
        try {
            Path file = Files.createTempFile("uzu-start", ".json");
            List<String> command = new ArrayList<>();
            command.add(ProcessHandle.current().info().command().orElse("java"));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
            command.addAll(List.of("bench", "start", model.toString(), "--threads", Integer.toString(threads)));
            command.addAll(List.of("--kernels", kernels.name().toLowerCase(java.util.Locale.ROOT)));
            command.addAll(List.of("--json", file.toString()));
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.waitFor() != 0) {
                throw new UzuException.Internal("bench start failed", Map.of("path", model.toString()));
            }
            StartFigures figures = new JsonMapper().readValue(file.toFile(), StartFigures.class);
            Files.delete(file);
            return figures;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UzuException.Cancelled("interrupted");
        }
    }

    private static StartFigures measure(String path, CpuOptions options) {
        long start = System.nanoTime();
        try (CpuBackend backend = CpuBackend.open(options);
                Checkpoint checkpoint = Models.open(path);
                LanguageModel model = LanguageModel.load(checkpoint, backend);
                Sequence sequence = model.executable().newSequence()) {
            double load = since(start);
            long weights = model.executable().memoryBytes();
            int[] ids =
                    new Random(1).ints(2 * PROMPT, 0, model.vocabularySize()).toArray();
            double[] passes = new double[FIRST + UNTIL_SETTLED + SETTLED];
            for (int i = 0; i < passes.length; i++) {
                start = System.nanoTime();
                feed(model, sequence, ids, i, 1);
                passes[i] = since(start);
            }
            sequence.truncate(0);
            Distribution distribution = new Distribution(model.vocabularySize());
            start = System.nanoTime();
            int last = feed(model, sequence, ids, 0, PROMPT);
            model.executable().logits(last, distribution.logits());
            distribution.update();
            double firstToken = since(start);
            long before = model.executable().memoryBytes();
            feed(model, sequence, ids, PROMPT, PROMPT);
            long cache = (model.executable().memoryBytes() - before) / PROMPT;
            double first = 0;
            for (int i = 0; i < FIRST; i++) {
                first += passes[i];
            }
            double[] settled = new double[SETTLED];
            System.arraycopy(passes, FIRST + UNTIL_SETTLED, settled, 0, SETTLED);
            long peak = Long.parseLong(
                            Machine.field("/proc/self/status", "VmHWM", "0").split(" ", 2)[0])
                    << 10;
            return new StartFigures(
                    load, first, passes[FIRST - 1], Spread.of(settled).median(), firstToken, weights, cache, peak);
        }
    }

    /** The row of the last pass whose logits are there. */
    private static int feed(LanguageModel model, Sequence sequence, int[] ids, int from, int count) {
        int step = model.executable().maxRows();
        int last = 0;
        for (int at = from; at < from + count; at += step) {
            int rows = Math.min(step, from + count - at);
            Chain chain = new Chain(sequence, ids, at, rows, at + rows == from + count ? 1 : 0);
            model.executable().run(chain, () -> false, null);
            chain.commit();
            last = rows - 1;
        }
        return last;
    }

    static void print(StartFigures figures, PrintStream out) {
        out.printf(
                "fresh process: loads in %.2f s, first ten passes %.3f s, tenth %.2f ms (settled %.2f), "
                        + "first token of 512 after %.3f s%n",
                figures.loadSeconds(),
                figures.firstPasses(),
                figures.tenthPass() * 1e3,
                figures.settledPass() * 1e3,
                figures.firstToken());
        out.printf(
                "memory: weights %.1f MB, keys and values %.1f KB a token, peak with 1024 tokens %.1f MB "
                        + "(1.25 weights + keys and values + 120 MB: %.1f)%n",
                figures.weights() / 1e6,
                figures.cache() / 1e3,
                figures.peak() / 1e6,
                (1.25 * figures.weights() + 1024 * figures.cache()) / 1e6 + 120);
    }

    private static double since(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
