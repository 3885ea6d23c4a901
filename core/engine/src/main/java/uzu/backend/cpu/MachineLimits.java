package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** What this machine can do at most, measured: what kernels are held against. Best of several runs. */
public final class MachineLimits implements AutoCloseable {
    // Larger than the caches of one processor.
    private static final long BYTES = 256L << 20;
    private static final int RUNS = 6;
    private static final long ROUNDS = 2_000_000;
    /** Bytes fetched ahead of the reads: which of them reads fastest differs between processors. */
    private static final long[] AHEAD = {0, 512, 1024, 4096};

    private final Memory memory = new Memory();
    private final Team team = new Team();

    /**
     * Bytes a second that {@code threads} threads read from memory together.
     *
     * @throws uzu.UzuException.OutOfMemory when there is no room for what is read
     */
    public double readBytesPerSecond(int threads) {
        long address = memory.allocate(BYTES, "the measurement of memory");
        MemorySegment data = Memory.ALL.asSlice(address, BYTES);
        data.fill((byte) 1);
        long share = BYTES / threads & -4096L;
        long[] sums = new long[threads];
        double least = Double.MAX_VALUE;
        Optional<NativeLibrary> library = NativeLibrary.loaded().filter(found -> found.has("uzu_k_peak_read"));
        long read = library.map(found -> found.function("uzu_k_peak_read")).orElse(0L);
        for (long ahead : AHEAD) {
            for (int run = 0; run < RUNS; run++) {
                least = Math.min(least, seconds(threads, part -> {
                    long at = address + part * share;
                    sums[part] += library.isPresent()
                            ? library.get().calls().peakRead(read, at, share, ahead)
                            : sum(at, share);
                }));
            }
        }
        memory.free(address);
        return (double) share * threads / least;
    }

    /**
     * Multiply-adds of bytes a second between registers, as {@code kernels} does them; empty for kernels in Java.
     *
     * @param kernels as {@link CpuBackend#kernels} names them
     */
    public Optional<Double> byteProductsPerSecond(String kernels, int threads) {
        return products("uzu_k_peak_bytes_" + kernels, threads);
    }

    /** Fused multiply-adds of floats a second between registers, likewise. */
    public Optional<Double> floatProductsPerSecond(String kernels, int threads) {
        return products("uzu_k_peak_floats_" + kernels, threads);
    }

    private Optional<Double> products(String function, int threads) {
        return NativeLibrary.loaded().filter(library -> library.has(function)).map(library -> {
            long loop = library.function(function);
            long[] products = new long[threads];
            double least = Double.MAX_VALUE;
            for (int run = 0; run < RUNS; run++) {
                least = Math.min(
                        least,
                        seconds(
                                threads,
                                part -> products[part] = library.calls().peakProducts(loop, ROUNDS)));
            }
            return products[0] * threads / least;
        });
    }

    private interface Work {
        void run(int part);
    }

    private double seconds(int threads, Work work) {
        long start = System.nanoTime();
        team.run(threads, new Team.Job() {
            @Override
            public int steps() {
                return 1;
            }

            @Override
            public int parts(int step) {
                return threads;
            }

            @Override
            public void run(int step, int part, int worker) {
                work.run(part);
            }
        });
        return (System.nanoTime() - start) / 1e9;
    }

    private static long sum(long at, long bytes) {
        long sum = 0;
        MemorySegment data = Memory.ALL.asSlice(at, bytes);
        for (long i = 0; i < bytes; i += Long.BYTES) {
            sum += data.get(JAVA_LONG, i);
        }
        return sum + data.get(JAVA_BYTE, 0);
    }

    @Override
    public void close() {
        team.close();
        memory.close();
    }
}
