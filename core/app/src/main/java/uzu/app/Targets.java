package uzu.app;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How many times as fast as llama.cpp a model has to be on the same threads, with AVX-512 VNNI.
 *
 * @param decode at a short context; or 0.92 of what memory allows, where that is less
 * @param rows a pass of 8 rows
 * @param prefill of 512 tokens
 * @param cost what 8 rows may cost at most, in our own single rows
 * @param decodeLong at a context of 4,096
 */
record Targets(String file, double decode, double rows, double prefill, double cost, double decodeLong) {
    static final double OF_MEMORY_LIMIT = 0.92;
    static final String KERNELS = "avx512vnni";

    private static final int LONG = 4096;

    private static final List<Targets> ALL = List.of(
            new Targets("smollm2-135m", 2.2, 6, 6, 2.4, 1.8),
            new Targets("qwen2.5-coder-0.5b", 1.25, 3.5, 3, 1.8, 1.3),
            new Targets("qwen2.5-coder-1.5b", 1.0, 3, 2, 1.7, 1.1),
            new Targets("gemma-3-270m", 1.3, 3, 3.5, 1.8, 1.3));

    /** By how a model file's name begins. */
    static Optional<Targets> of(String fileName) {
        String name = fileName.toLowerCase(Locale.ROOT);
        return ALL.stream().filter(targets -> name.startsWith(targets.file)).findFirst();
    }

    /** Of a measure; for a decode without what memory allows. */
    Optional<Double> ratio(Measure measure) {
        return switch (measure) {
            case Measure.Decode(int context) when context == LONG -> Optional.of(decodeLong);
            case Measure.Decode(int context) when context < LONG / 8 -> Optional.of(decode);
            case Measure.Rows(int count, int context) when count == 8 && context < LONG / 8 -> Optional.of(rows);
            case Measure.Prefill(int tokens) when tokens == 512 -> Optional.of(prefill);
            default -> Optional.empty();
        };
    }
}
