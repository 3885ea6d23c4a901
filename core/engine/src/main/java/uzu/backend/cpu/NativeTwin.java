package uzu.backend.cpu;

import java.util.Optional;
import java.util.stream.Stream;

/** The twins in C, in the order in which one is preferred to the next. Feature bits are those of kernels.h. */
enum NativeTwin {
    AVX512(CpuOptions.Kernels.AVX512, "avx512vnni", NativeTwin.BIT_AVX2 | NativeTwin.BIT_AVX512VNNI, Rows.AVX2),
    AVXVNNI(CpuOptions.Kernels.AVXVNNI, "avxvnni", NativeTwin.BIT_AVX2 | NativeTwin.BIT_AVXVNNI, Rows.AVX2),
    AVX2(CpuOptions.Kernels.AVX2, "avx2", NativeTwin.BIT_AVX2, Rows.AVX2),
    I8MM(CpuOptions.Kernels.I8MM, "i8mm", NativeTwin.BIT_DOTPROD | NativeTwin.BIT_I8MM, Rows.NEON),
    DOTPROD(CpuOptions.Kernels.DOTPROD, "dotprod", NativeTwin.BIT_DOTPROD, Rows.NEON),
    NEON(CpuOptions.Kernels.NEON, "neon", NativeTwin.BIT_NEON, Rows.NEON);

    private static final int BIT_AVX2 = 1;
    private static final int BIT_AVX512VNNI = 2;
    private static final int BIT_AVXVNNI = 4;
    private static final int BIT_NEON = 8;
    private static final int BIT_DOTPROD = 16;
    private static final int BIT_I8MM = 32;

    /** Row kernels, which several matrix twins share: rows are read from caches, not computed long. */
    enum Rows {
        AVX2("avx2", BIT_AVX2),
        NEON("neon", BIT_NEON);

        final String suffix;
        private final int features;

        Rows(String suffix, int features) {
            this.suffix = suffix;
            this.features = features;
        }

        private boolean isIn(NativeLibrary library) {
            return library.runs(features) && library.has("uzu_k_norm_" + suffix);
        }

        /** The row kernels to use where {@code wanted} matrix kernels run; empty where there are none in C. */
        static Optional<Rows> choose(CpuOptions.Kernels wanted, NativeLibrary library) {
            Stream<Rows> fitting = wanted == CpuOptions.Kernels.AUTO
                    ? Stream.of(values())
                    : NativeTwin.of(wanted).map(twin -> twin.rows).stream();
            return fitting.filter(rows -> rows.isIn(library)).findFirst();
        }
    }

    /** What asks for this twin. */
    final CpuOptions.Kernels kernels;
    /** How the names of its functions end. */
    final String suffix;

    final Rows rows;
    private final int features;

    NativeTwin(CpuOptions.Kernels kernels, String suffix, int features, Rows rows) {
        this.kernels = kernels;
        this.suffix = suffix;
        this.features = features;
        this.rows = rows;
    }

    static Optional<NativeTwin> of(CpuOptions.Kernels kernels) {
        return Stream.of(values()).filter(twin -> twin.kernels == kernels).findFirst();
    }

    /** Whether the library has this twin and this processor runs it. */
    boolean isIn(NativeLibrary library) {
        return library.runs(features) && library.has("uzu_k_multiply_" + suffix);
    }
}
