package uzu.bridge;

import java.util.List;
import org.graalvm.nativeimage.IsolateThread;
import org.graalvm.nativeimage.c.function.CEntryPoint;
import org.graalvm.nativeimage.c.function.CFunctionPointer;
import org.graalvm.nativeimage.c.function.InvokeCFunctionPointer;
import org.graalvm.nativeimage.c.type.CCharPointer;
import org.graalvm.nativeimage.c.type.CTypeConversion;
import org.graalvm.nativeimage.c.type.VoidPointer;
import org.graalvm.word.PointerBase;
import org.graalvm.word.WordFactory;
import uzu.ErrorCode;

/** The functions behind {@code uzu.h} in a native image: what host_native.c calls. Nothing may be thrown to C. */
final class ImageApi {
    private static final int INTERNAL = -1 - ErrorCode.INTERNAL.ordinal();

    private static final class Started {
        static volatile List<CFunction> functions = List.of();
    }

    private ImageApi() {}

    /** {@code void *allocate(int64_t size)}, whose memory the host frees. */
    interface Allocate extends CFunctionPointer {
        @InvokeCFunctionPointer
        VoidPointer call(long bytes);
    }

    /** {@code void block_signals(void)}, for the calling thread. */
    interface BlockSignals extends CFunctionPointer {
        @InvokeCFunctionPointer
        void call();
    }

    /**
     * Called once, before all else.
     *
     * @param kernels path of the kernels' library; NULL where they are to be looked for
     * @return how many functions there are; negative after a failure
     */
    @CEntryPoint(name = "uzu_image_start")
    static int start(IsolateThread thread, CCharPointer kernels, Allocate allocate, BlockSignals blockSignals) {
        try {
            if (kernels.isNonNull()) {
                System.setProperty("uzu.kernels", CTypeConversion.toJavaString(kernels));
            }
            // As numbers: objects, those of lambdas too, can't hold pointers.
            long allocator = allocate.rawValue();
            long blocker = blockSignals.rawValue();
            CMemory memory = new CMemory(bytes -> allocate(allocator, bytes));
            Started.functions = CFunction.all(new Bridge(() -> blockSignals(blocker)), memory);
            return Started.functions.size();
        } catch (Throwable thrown) {
            return INTERNAL;
        }
    }

    private static long allocate(long allocator, long bytes) {
        Allocate function = WordFactory.pointer(allocator);
        return function.call(bytes).rawValue();
    }

    private static void blockSignals(long blocker) {
        BlockSignals function = WordFactory.pointer(blocker);
        function.call();
    }

    /** A function by its place in {@link Functions}. */
    @CEntryPoint(name = "uzu_image_call")
    static int call(
            IsolateThread thread,
            int function,
            long handle,
            PointerBase texts,
            long number,
            PointerBase out,
            PointerBase error) {
        try {
            return Started.functions
                    .get(function)
                    .call(handle, texts.rawValue(), number, out.rawValue(), error.rawValue());
        } catch (Throwable thrown) {
            return INTERNAL;
        }
    }
}
