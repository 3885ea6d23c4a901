package uzu.bridge;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/** The functions behind {@code uzu.h} as a table of upcall stubs, which the host library has filled once. */
public final class CApi {
    private static final MethodType CALL =
            MethodType.methodType(int.class, long.class, long.class, long.class, long.class, long.class);
    private static final FunctionDescriptor ENTRY =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private CApi() {}

    /**
     * Called once by the host through JNI.
     *
     * @param table address of {@code slots} function pointers, in the order of {@link Functions}
     * @param allocate address of {@code void *allocate(int64_t size)}, whose memory the host frees
     * @return how many entries there are
     */
    public static int fill(long table, int slots, long allocate) throws ReflectiveOperationException {
        Linker linker = Linker.nativeLinker();
        MethodHandle allocation =
                linker.downcallHandle(MemorySegment.ofAddress(allocate), FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        List<CFunction> functions = CFunction.all(new Bridge(), new CMemory(bytes -> allocate(allocation, bytes)));
        if (functions.size() != slots) {
            return functions.size();
        }
        MethodHandle call = MethodHandles.lookup().findVirtual(CFunction.class, "call", CALL);
        MemorySegment pointers = MemorySegment.ofAddress(table).reinterpret(ADDRESS.byteSize() * slots);
        for (int i = 0; i < slots; i++) {
            MethodHandle bound = call.bindTo(functions.get(i));
            pointers.setAtIndex(ADDRESS, i, linker.upcallStub(bound, ENTRY, Arena.global()));
        }
        return slots;
    }

    private static long allocate(MethodHandle function, long bytes) {
        try {
            return (long) function.invokeExact(bytes);
        } catch (Throwable impossible) {
            throw new AssertionError("allocate throws nothing", impossible);
        }
    }
}
