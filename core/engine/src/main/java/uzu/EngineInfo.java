package uzu;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What an engine computes with.
 *
 * @param matrixKernels the instruction set that multiplies matrices: {@code avx2}, {@code avx512vnni}, {@code neon}, …,
 *     or {@code vector} or {@code scalar} where Java does
 * @param rowKernels the same for norms, activations and attention
 * @param kernelLibrary the file of the kernels in C; null where none was found
 * @param threads workers of a pass
 * @param weightBytes bytes of the weights of all models in memory
 * @param workingBytes bytes of their keys, values and scratch
 */
public record EngineInfo(
        String matrixKernels,
        String rowKernels,
        @Nullable Path kernelLibrary,
        int threads,
        long weightBytes,
        long workingBytes) {}
