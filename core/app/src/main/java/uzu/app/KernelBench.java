package uzu.app;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import uzu.KvCache;
import uzu.SamplingMethod;
import uzu.UzuException;
import uzu.backend.cpu.AttentionSpeed;
import uzu.backend.cpu.CpuOptions;
import uzu.backend.cpu.LogitsMemory;
import uzu.backend.cpu.MachineLimits;
import uzu.backend.cpu.MatrixSpeed;
import uzu.backend.cpu.RowSpeed;
import uzu.backend.cpu.TeamSpeed;
import uzu.format.TensorType;
import uzu.generate.SamplingSpeed;

/**
 * {@code bench kernels}: how fast the kernels are, and how near to what this machine can do at most, which is measured
 * in the same run.
 */
final class KernelBench {
    private static final int VOCABULARY = 150_000;
    private static final Set<String> PARTS = Set.of("matrices", "attention", "rows", "team", "sampling");

    private static final Map<String, SamplingMethod> SAMPLINGS = new LinkedHashMap<>();

    static {
        SamplingMethod.Stochastic plain = SamplingMethod.Stochastic.create().withTemperature(0.8);
        SAMPLINGS.put("greedy", new SamplingMethod.Greedy());
        SAMPLINGS.put("temperature 0.8", plain);
        SAMPLINGS.put("and top-k 40", plain.withTopK(40));
        SAMPLINGS.put("and top-p 0.95", plain.withTopP(0.95));
        SAMPLINGS.put("and top-k 40, top-p 0.95", plain.withTopK(40).withTopP(0.95));
        SAMPLINGS.put("and min-p 0.05", plain.withMinP(0.05));
    }

    private final PrintStream out;
    private final List<TextTable> tables = new ArrayList<>();

    KernelBench(PrintStream out) {
        this.out = out;
    }

    int run(Arguments arguments) {
        CpuOptions.Kernels wanted = arguments.oneOf("kernels", CpuOptions.Kernels.AUTO);
        int cores = Runtime.getRuntime().availableProcessors();
        int[] threads = arguments.counts("threads", cores == 1 ? "1" : "1," + cores);
        int[] rows = arguments.counts("rows", "1,2,4,8,16,64");
        Set<TensorType> types = types(arguments.option("types", "all"));
        Set<String> parts = parts(arguments.option("parts", "all"));
        String json = arguments.option("json", "");
        String markdown = arguments.option("markdown", "");
        arguments.finish();

        Machine machine = Machine.here();
        MatrixSpeed matrices = new MatrixSpeed(wanted, rows, threads);
        out.println(machine.line());
        Map<Integer, KernelLimits> limits = limits(matrices.kernels(), threads);
        out.println("kernels " + matrices.kernels());
        limits.forEach((count, limit) ->
                out.println("limits with " + count + (count == 1 ? " thread: " : " threads: ") + limit.line()));
        KernelFigures figures = new KernelFigures(
                machine,
                matrices.kernels(),
                limits,
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new TreeMap<>(),
                new LinkedHashMap<>());
        if (parts.contains("matrices")) {
            matrices.measure(types::contains, figures.matrices()::add);
            for (int count : threads) {
                show(KernelTables.matrices(figures, count, rows));
            }
        }
        if (parts.contains("attention")) {
            for (KvCache cache : KvCache.values()) {
                CpuOptions options = CpuOptions.defaults().withKernels(wanted).withCache(cache);
                AttentionSpeed.measure(options, new int[] {1, 8, 256}, threads, figures.attention()::add);
            }
            out.println("\nattention: " + AttentionSpeed.shape());
            show(KernelTables.attention(figures));
        }
        if (parts.contains("rows")) {
            new RowSpeed(wanted).measure(figures.rows()::add);
            show(KernelTables.rows(figures));
        }
        if (parts.contains("team")) {
            for (int count : threads) {
                figures.nanosecondsPerStep().put(count, TeamSpeed.nanosecondsPerStep(count));
            }
            show(KernelTables.team(figures));
        }
        if (parts.contains("sampling")) {
            try (LogitsMemory memory = new LogitsMemory(wanted, VOCABULARY)) {
                SAMPLINGS.forEach((name, method) -> figures.sampling()
                        .put(name, SamplingSpeed.secondsPerToken(method, VOCABULARY, memory.logits())));
            }
            show(KernelTables.sampling(figures, VOCABULARY));
        }
        write(figures, machine, json, markdown);
        return 0;
    }

    private void write(KernelFigures figures, Machine machine, String json, String markdown) {
        if (!json.isEmpty()) {
            JsonMapper mapper = JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build();
            OutputFile.write(json, mapper.writeValueAsString(figures));
        }
        if (!markdown.isEmpty()) {
            String head = machine.line() + ", kernels " + figures.kernels() + "\n\n";
            OutputFile.write(
                    markdown, head + tables.stream().map(TextTable::markdown).collect(Collectors.joining("\n")));
        }
    }

    private void show(TextTable table) {
        tables.add(table);
        out.println();
        out.print(table.text());
    }

    private static Map<Integer, KernelLimits> limits(String kernels, int[] threads) {
        Map<Integer, KernelLimits> limits = new TreeMap<>();
        try (MachineLimits machine = new MachineLimits()) {
            for (int count : threads) {
                limits.put(
                        count,
                        new KernelLimits(
                                machine.readBytesPerSecond(count),
                                machine.byteProductsPerSecond(kernels, count),
                                machine.floatProductsPerSecond(kernels, count)));
            }
        }
        return limits;
    }

    private static Set<TensorType> types(String words) {
        if (words.equals("all")) {
            return Set.of(TensorType.values());
        }
        return Arrays.stream(words.split(","))
                .map(word -> Stream.of(TensorType.values())
                        .filter(type -> type.name().toLowerCase(Locale.ROOT).equals(word.toLowerCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(() -> new UzuException.InvalidArgument("--types: there is no type " + word)))
                .collect(Collectors.toSet());
    }

    private static Set<String> parts(String words) {
        Set<String> parts = words.equals("all") ? PARTS : Set.of(words.split(","));
        Optional<String> unknown =
                parts.stream().filter(part -> !PARTS.contains(part)).findFirst();
        unknown.ifPresent(part -> {
            throw new UzuException.InvalidArgument("--parts: there is no part " + part);
        });
        return parts;
    }
}
