package uzu.backend.cpu;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a backend runs on.
 *
 * @param matrices the twin that multiplies matrices
 * @param rows the twin of norms, activations and attention
 * @param library of the kernels in C; null where it was not found
 * @param threads workers of a pass
 */
public record CpuKernels(
        String matrices, String rows, @Nullable Path library, int threads) {}
