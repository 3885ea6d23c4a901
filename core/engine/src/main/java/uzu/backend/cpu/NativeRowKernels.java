package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import uzu.KvCache;
import uzu.UzuException;
import uzu.backend.Activation;

/** The row kernels in C, of one instruction set. */
final class NativeRowKernels implements RowKernels {
    private final MethodHandle norm;
    private final MethodHandle rotate;
    private final MethodHandle store;
    private final MethodHandle gate;
    private final MethodHandle add;
    private final MethodHandle softCap;
    private final MethodHandle attend;
    private final MethodHandle join;

    private NativeRowKernels(NativeLibrary library, NativeTwin.Rows twin) {
        norm = function(library, twin, "norm", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_FLOAT, JAVA_LONG);
        rotate = function(library, twin, "rotate", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
        store = function(library, twin, "store", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
        gate = function(library, twin, "gate", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
        add = function(library, twin, "add", JAVA_LONG, JAVA_INT, JAVA_LONG);
        softCap = function(library, twin, "soft_cap", JAVA_LONG, JAVA_INT, JAVA_FLOAT);
        attend = function(
                library,
                twin,
                "attend",
                JAVA_INT,
                JAVA_LONG,
                JAVA_INT,
                JAVA_INT,
                JAVA_LONG,
                JAVA_LONG,
                JAVA_INT,
                JAVA_LONG,
                JAVA_LONG,
                JAVA_LONG,
                JAVA_INT,
                JAVA_FLOAT,
                JAVA_FLOAT,
                JAVA_LONG,
                JAVA_LONG);
        join = function(library, twin, "join", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    }

    /** The twin to use where {@code wanted} matrix kernels run: C wherever there is C for this processor. */
    static RowKernels choose(CpuOptions.Kernels wanted) {
        return NativeLibrary.loaded()
                .flatMap(library -> NativeTwin.Rows.choose(wanted, library)
                        .<RowKernels>map(twin -> new NativeRowKernels(library, twin)))
                .orElseGet(ScalarRowKernels::new);
    }

    @Override
    public void norm(long in, int runs, int columns, long weight, float epsilon, long out) {
        try {
            norm.invokeExact(in, runs, columns, weight, epsilon, out);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void rotate(long x, int heads, int headSize, int half, long cosines, long sines) {
        try {
            rotate.invokeExact(x, heads, headSize, half, cosines, sines);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void store(KvCache type, long in, int count, long out) {
        try {
            store.invokeExact(number(type), in, count, out);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void gate(Activation activation, long gate, long up, int count, long out) {
        int number = switch (activation) {
            case SILU -> 0;
            case GELU_TANH -> 1;
        };
        try {
            this.gate.invokeExact(number, gate, up, count, out);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void add(long in, int count, long out) {
        try {
            add.invokeExact(in, count, out);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void softCap(long x, int count, float cap) {
        try {
            softCap.invokeExact(x, count, cap);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void attend(
            KvCache type,
            long queries,
            int heads,
            int headSize,
            long keys,
            long values,
            int committed,
            long pendingKeys,
            long pendingValues,
            long index,
            int pending,
            float scale,
            float softCap,
            long scores,
            long partial) {
        try {
            attend.invokeExact(
                    number(type),
                    queries,
                    heads,
                    headSize,
                    keys,
                    values,
                    committed,
                    pendingKeys,
                    pendingValues,
                    index,
                    pending,
                    scale,
                    softCap,
                    scores,
                    partial);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    @Override
    public void join(long partials, int blocks, int heads, int headSize, long out) {
        try {
            join.invokeExact(partials, blocks, heads, headSize, out);
        } catch (Throwable thrown) {
            throw failure(thrown);
        }
    }

    private static MethodHandle function(
            NativeLibrary library, NativeTwin.Rows twin, String name, MemoryLayout... arguments) {
        return library.function("uzu_k_" + name + "_" + twin.suffix, FunctionDescriptor.ofVoid(arguments));
    }

    private static int number(KvCache type) {
        return switch (type) {
            case F32 -> 0;
            case F16 -> 1;
            case BF16 -> 2;
        };
    }

    private static RuntimeException failure(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new UzuException.Internal("a call of a C kernel failed", Map.of(), thrown);
    }
}
