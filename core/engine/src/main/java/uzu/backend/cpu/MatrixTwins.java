package uzu.backend.cpu;

import java.util.Map;
import java.util.Optional;
import uzu.UzuException;

/** Picks the kernels that multiply matrices: the best twin that is there, that runs here and that computes rightly. */
final class MatrixTwins {
    private static final System.Logger LOG = System.getLogger("uzu.kernels");

    // A class each: a twin that isn't used isn't checked.
    private static final class Avx2 {
        static final Optional<MatrixKernels> PROVEN = twin("avx2", NativeLibrary.AVX2);
    }

    private static final class Avx512 {
        static final Optional<MatrixKernels> PROVEN = twin("avx512vnni", NativeLibrary.AVX512_VNNI);
    }

    private MatrixTwins() {}

    /** @throws UzuException.InvalidArgument when the twin asked for is not there or does not run here */
    static MatrixKernels choose(CpuOptions.Kernels wanted) {
        return switch (wanted) {
            case AUTO -> Avx512.PROVEN.or(() -> Avx2.PROVEN).orElseGet(ScalarMatrixKernels::new);
            case SCALAR -> new ScalarMatrixKernels();
            case AVX2 -> Avx2.PROVEN.orElseThrow(() -> missing(wanted));
            case AVX512 -> Avx512.PROVEN.orElseThrow(() -> missing(wanted));
        };
    }

    private static UzuException missing(CpuOptions.Kernels wanted) {
        String why = NativeLibrary.loaded().isEmpty()
                ? "the kernels in C were not found"
                : "this processor does not run them, or they failed their check";
        return new UzuException.InvalidArgument(
                "kernels " + wanted + " can't be used: " + why, Map.of("kernels", wanted.name()));
    }

    private static Optional<MatrixKernels> twin(String name, int features) {
        Optional<NativeLibrary> library = NativeLibrary.loaded().filter(l -> l.runs(features));
        if (library.isEmpty()) {
            return Optional.empty();
        }
        MatrixKernels kernels = new NativeMatrixKernels(library.get(), name);
        Optional<MatrixLayout> wrong = TwinCheck.firstDifference(kernels);
        wrong.ifPresent(layout -> LOG.log(
                System.Logger.Level.WARNING,
                "kernels " + name + " compute " + layout + " products wrongly and are not used; please report this"));
        return wrong.isEmpty() ? Optional.of(kernels) : Optional.empty();
    }
}
