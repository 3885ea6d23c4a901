package uzu.backend.cpu;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import uzu.UzuException;

/** Picks the kernels that multiply matrices: the best twin that is there, that runs here and that computes rightly. */
final class MatrixTwins {
    /** Made and checked once; twins that are asked for by name are checked each time. */
    private static final class Best {
        static final MatrixKernels KERNELS = Stream.of(NativeTwin.values())
                .flatMap(twin -> proven(twin).stream())
                .findFirst()
                .or(VectorTwin::matrices)
                .orElseGet(ScalarMatrixKernels::new);
    }

    private MatrixTwins() {}

    /** @throws UzuException.InvalidArgument when the twin asked for is not there or does not run here */
    static MatrixKernels choose(CpuOptions.Kernels wanted) {
        return switch (wanted) {
            case AUTO -> Best.KERNELS;
            case SCALAR -> new ScalarMatrixKernels();
            case VECTOR ->
                VectorTwin.matrices()
                        .orElseThrow(() -> missing(wanted, "the Java option " + VectorTwin.OPTION + " was not given"));
            case AVX2, AVXVNNI, AVX512, NEON, DOTPROD, I8MM ->
                NativeTwin.of(wanted).flatMap(MatrixTwins::proven).orElseThrow(() -> missing(wanted, noNativeTwin()));
        };
    }

    private static String noNativeTwin() {
        return NativeLibrary.loaded().isEmpty()
                ? "the kernels in C were not found"
                : "this processor or build lacks them, or they failed their check";
    }

    private static UzuException missing(CpuOptions.Kernels wanted, String why) {
        return new UzuException.InvalidArgument(
                "kernels " + wanted + " can't be used: " + why, Map.of("kernels", wanted.name()));
    }

    private static Optional<MatrixKernels> proven(NativeTwin twin) {
        Optional<NativeLibrary> library = NativeLibrary.loaded().filter(twin::isIn);
        if (library.isEmpty()) {
            return Optional.empty();
        }
        MatrixKernels kernels = new NativeMatrixKernels(library.get(), twin.suffix);
        Optional<MatrixLayout> wrong = TwinCheck.firstDifference(kernels);
        wrong.ifPresent(layout -> NativeLibrary.log().log(
                System.Logger.Level.WARNING,
                "kernels " + twin.suffix + " compute " + layout
                        + " products wrongly and are not used; please report this"));
        return wrong.isEmpty() ? Optional.of(kernels) : Optional.empty();
    }
}
