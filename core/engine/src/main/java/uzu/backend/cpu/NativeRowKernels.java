package uzu.backend.cpu;

import java.util.Optional;
import uzu.KvCache;
import uzu.backend.Activation;

/** The row kernels in C, of one instruction set. */
final class NativeRowKernels implements RowKernels {
    private final String name;
    private final NativeCalls calls;
    private final long norm;
    private final long rotate;
    private final long store;
    private final long storeQuants;
    private final long gate;
    private final long add;
    private final long softCap;
    private final long attend;
    private final long join;

    private NativeRowKernels(NativeLibrary library, NativeTwin.Rows twin) {
        name = twin.suffix;
        calls = library.calls();
        norm = function(library, twin, "norm");
        rotate = function(library, twin, "rotate");
        store = function(library, twin, "store");
        storeQuants = function(library, twin, "store_quants");
        gate = function(library, twin, "gate");
        add = function(library, twin, "add");
        softCap = function(library, twin, "soft_cap");
        attend = function(library, twin, "attend");
        join = function(library, twin, "join");
    }

    /** The twin to use where {@code wanted} matrix kernels run: C wherever they are C, and then what is fastest. */
    static RowKernels choose(CpuOptions.Kernels wanted) {
        return NativeLibrary.loaded()
                .flatMap(library -> NativeTwin.Rows.choose(wanted, library)
                        .<RowKernels>map(twin -> new NativeRowKernels(library, twin)))
                .or(() -> wanted == CpuOptions.Kernels.SCALAR ? Optional.empty() : VectorTwin.rows())
                .orElseGet(ScalarRowKernels::new);
    }

    @Override
    public String description() {
        return name;
    }

    @Override
    public void norm(long in, int runs, int columns, long weight, float epsilon, long out) {
        calls.norm(norm, in, runs, columns, weight, epsilon, out);
    }

    @Override
    public void rotate(long x, int heads, int headSize, int half, long cosines, long sines) {
        calls.rotate(rotate, x, heads, headSize, half, cosines, sines);
    }

    @Override
    public void store(KvCache type, long in, int count, long out) {
        calls.store(KeyValueLayout.isQuantised(type) ? storeQuants : store, number(type), in, count, out);
    }

    @Override
    public void gate(Activation activation, long gate, long up, int rows, int columns, int stride, long out) {
        calls.gate(this.gate, number(activation), gate, up, rows, columns, stride, out);
    }

    @Override
    public void add(long in, int count, long out) {
        calls.add(add, in, count, out);
    }

    @Override
    public void softCap(long x, int count, float cap) {
        calls.softCap(softCap, x, count, cap);
    }

    @Override
    public void attend(
            KvCache type,
            long queries,
            long queryStride,
            int heads,
            int headSize,
            long keys,
            long values,
            long pendingKeys,
            long pendingValues,
            long ancestors,
            long spans,
            int rows,
            float scale,
            float softCap,
            long scratch,
            long partials,
            long partialStride) {
        calls.attend(
                attend,
                number(type),
                queries,
                queryStride,
                heads,
                headSize,
                keys,
                values,
                pendingKeys,
                pendingValues,
                ancestors,
                spans,
                rows,
                scale,
                softCap,
                scratch,
                partials,
                partialStride);
    }

    @Override
    public void join(long partials, int blocks, int heads, int headSize, long out) {
        calls.join(join, partials, blocks, heads, headSize, out);
    }

    private static long function(NativeLibrary library, NativeTwin.Rows twin, String name) {
        return library.function("uzu_k_" + name + "_" + twin.suffix);
    }

    static int number(Activation activation) {
        return switch (activation) {
            case SILU -> 0;
            case GELU_TANH -> 1;
        };
    }

    static int number(KvCache type) {
        return switch (type) {
            case F32 -> 0;
            case F16 -> 1;
            case BF16 -> 2;
            case Q8 -> 3;
            case Q4 -> 4;
        };
    }
}
