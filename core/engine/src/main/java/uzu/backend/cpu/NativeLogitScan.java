package uzu.backend.cpu;

import java.util.Optional;

/** The twin in C. */
final class NativeLogitScan implements LogitScan {
    private final NativeCalls calls;
    private final long largest;
    private final long contenders;

    private NativeLogitScan(NativeLibrary library, String twin) {
        calls = library.calls();
        largest = library.function("uzu_k_largest_" + twin);
        contenders = library.function("uzu_k_contenders_" + twin);
    }

    /** Empty where there are no kernels in C. */
    static Optional<LogitScan> choose(CpuOptions.Kernels wanted) {
        return NativeLibrary.loaded()
                .flatMap(library -> NativeTwin.Rows.choose(wanted, library)
                        .filter(twin -> library.has("uzu_k_contenders_" + twin.suffix))
                        .map(twin -> new NativeLogitScan(library, twin.suffix)));
    }

    @Override
    public int largest(long x, int count) {
        return calls.largest(largest, x, count);
    }

    @Override
    public void contenders(long x, long radii, int count, float reach, float least, long units) {
        calls.contenders(contenders, x, radii, count, reach, least, units);
    }
}
