package uzu.app;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import uzu.backend.cpu.AttentionSpeed;
import uzu.backend.cpu.MatrixSpeed;
import uzu.backend.cpu.RowSpeed;

/**
 * What {@code bench kernels} has measured; its JSON, too.
 *
 * @param limits by threads
 * @param nanosecondsPerStep from one step of a worker team to the next, by threads
 * @param sampling seconds for a token, by what is done
 */
record KernelFigures(
        Machine machine,
        String kernels,
        Map<Integer, KernelLimits> limits,
        List<MatrixSpeed.Figure> matrices,
        List<AttentionSpeed.Figure> attention,
        List<RowSpeed.Figure> rows,
        Map<Integer, Double> nanosecondsPerStep,
        Map<String, Double> sampling) {
    KernelLimits limitsOf(int threads) {
        return Objects.requireNonNull(limits.get(threads));
    }
}
