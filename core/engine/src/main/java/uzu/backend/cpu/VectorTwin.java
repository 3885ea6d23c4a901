package uzu.backend.cpu;

import java.util.Optional;

/**
 * Whether this process has the Vector API, an incubator module that is only there when asked for with {@link
 * #OPTION}. Classes that use it are named nowhere else but behind this, so that none is loaded without.
 */
final class VectorTwin {
    private static final String MODULE = "jdk.incubator.vector";
    static final String OPTION = "--add-modules=" + MODULE;

    private static final boolean THERE = ModuleLayer.boot().findModule(MODULE).isPresent();

    private VectorTwin() {}

    static Optional<MatrixKernels> matrices() {
        return THERE ? Optional.of(new VectorMatrixKernels()) : Optional.empty();
    }

    static Optional<RowKernels> rows() {
        return THERE ? Optional.of(new VectorRowKernels()) : Optional.empty();
    }
}
