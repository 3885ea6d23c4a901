package uzu.app;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one model.
 *
 * @param readBytes weights that a single row reads, as the file has them
 * @param kernels as {@code CpuBackend} names them
 * @param start a fresh process's figures, or null
 */
record ModelFigures(
        String file,
        long readBytes,
        String kernels,
        String cache,
        List<Timing> timings,
        @Nullable StartFigures start) {
    Optional<Timing> timing(Measure measure, int threads) {
        return timings.stream()
                .filter(timing -> timing.measure().equals(measure) && timing.threads() == threads)
                .findFirst();
    }

    /** What {@code rows} cost in single rows of the same context and threads, where both were measured. */
    Optional<Spread> cost(Timing rows) {
        Measure one = new Measure.Rows(1, rows.measure().context());
        return rows.measure() instanceof Measure.Rows
                ? timing(one, rows.threads()).map(single -> {
                    double[] costs = new double[single.ours().length];
                    for (int round = 0; round < costs.length; round++) {
                        costs[round] = rows.ours()[round] / single.ours()[round];
                    }
                    return Spread.of(costs);
                })
                : Optional.empty();
    }
}
