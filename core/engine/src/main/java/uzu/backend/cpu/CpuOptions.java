package uzu.backend.cpu;

import uzu.KvCache;
import uzu.Precision;
import uzu.UzuException;

/**
 * How the CPU backend runs.
 *
 * @param threads workers of a pass; 0: the physical cores available to this process
 * @param maxRows most rows of one pass
 * @param kernels which twins compute; all give the same bits
 */
public record CpuOptions(int threads, Precision precision, KvCache cache, int maxRows, Kernels kernels) {
    static final int MAX_THREADS = 256;
    static final int MAX_ROWS = 4096;

    /** Twins of the kernels. */
    public enum Kernels {
        /** The best of those below that this processor runs and that are there. */
        AUTO,
        /** Java: the specification. */
        SCALAR,
        /** Java on the Vector API, where the module {@code jdk.incubator.vector} is. */
        VECTOR,
        /** C for x86-64 with AVX2, FMA and F16C. */
        AVX2,
        /** C for x86-64 with AVX-VNNI: AVX2 and byte products of 256 bits. */
        AVXVNNI,
        /** C for x86-64 with AVX-512 VNNI. */
        AVX512,
        /** C for 64-bit ARM. */
        NEON,
        /** C for 64-bit ARM with the dot product. */
        DOTPROD,
        /** C for 64-bit ARM with the dot product and byte matrix products. */
        I8MM
    }

    public CpuOptions {
        if (threads < 0 || threads > MAX_THREADS) {
            throw new UzuException.InvalidArgument("threads: " + threads + " is not in 0.." + MAX_THREADS);
        }
        if (maxRows < 1 || maxRows > MAX_ROWS) {
            throw new UzuException.InvalidArgument("maxRows: " + maxRows + " is not in 1.." + MAX_ROWS);
        }
    }

    /** All cores, int8 activations, keys and values in half precision, 256 rows, the best kernels. */
    public static CpuOptions defaults() {
        return new CpuOptions(0, Precision.FAST, KvCache.F16, 256, Kernels.AUTO);
    }

    public CpuOptions withThreads(int value) {
        return new CpuOptions(value, precision, cache, maxRows, kernels);
    }

    public CpuOptions withPrecision(Precision value) {
        return new CpuOptions(threads, value, cache, maxRows, kernels);
    }

    public CpuOptions withCache(KvCache value) {
        return new CpuOptions(threads, precision, value, maxRows, kernels);
    }

    public CpuOptions withMaxRows(int value) {
        return new CpuOptions(threads, precision, cache, value, kernels);
    }

    public CpuOptions withKernels(Kernels value) {
        return new CpuOptions(threads, precision, cache, maxRows, value);
    }
}
