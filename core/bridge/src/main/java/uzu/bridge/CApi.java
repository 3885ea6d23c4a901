package uzu.bridge;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import uzu.ErrorCode;
import uzu.UzuException;

/** The functions behind {@code uzu.h} as a table of upcall stubs, which the host library has filled once. */
public final class CApi {
    private static final FunctionDescriptor ENTRY =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);

    private final CMemory memory;

    private CApi(CMemory memory) {
        this.memory = memory;
    }

    /**
     * Called once by the host through JNI.
     *
     * @param table address of {@code slots} function pointers, in the order of {@link Functions}
     * @param allocate address of {@code void *allocate(int64_t size)}, whose memory the host frees
     * @return how many entries there are
     */
    public static int fill(long table, int slots, long allocate) throws ReflectiveOperationException {
        Linker linker = Linker.nativeLinker();
        CApi api = new CApi(new CMemory(linker, MemorySegment.ofAddress(allocate)));
        List<Functions.Entry> entries = Functions.of(new Bridge());
        if (entries.size() != slots) {
            return entries.size();
        }
        MethodHandle enter = MethodHandles.lookup()
                .findVirtual(
                        CApi.class,
                        "enter",
                        MethodType.methodType(
                                int.class,
                                Functions.Body.class,
                                long.class,
                                MemorySegment.class,
                                long.class,
                                MemorySegment.class,
                                MemorySegment.class))
                .bindTo(api);
        MemorySegment pointers = MemorySegment.ofAddress(table).reinterpret(ADDRESS.byteSize() * slots);
        for (int i = 0; i < slots; i++) {
            MethodHandle entry =
                    MethodHandles.insertArguments(enter, 0, entries.get(i).body());
            pointers.setAtIndex(ADDRESS, i, linker.upcallStub(entry, ENTRY, Arena.global()));
        }
        return slots;
    }

    /** Every call from C comes through here; nothing is thrown back, for a JVM ends the process at that. */
    private int enter(
            Functions.Body body,
            long handle,
            MemorySegment texts,
            long number,
            MemorySegment out,
            MemorySegment error) {
        try {
            return body.run(new CArguments(memory, handle, texts, number, out));
        } catch (Throwable thrown) {
            return report(thrown, error);
        }
    }

    private int report(Throwable thrown, MemorySegment error) {
        try {
            UzuException typed = Errors.of(thrown);
            if (!error.equals(MemorySegment.NULL)) {
                memory.write(error, Errors.json(typed).toString());
            }
            return Errors.result(typed);
        } catch (Throwable again) {
            return -1 - ErrorCode.INTERNAL.ordinal();
        }
    }

    /** Memory that both sides know. */
    static final class CMemory {
        private final MethodHandle allocate;

        private CMemory(Linker linker, MemorySegment function) {
            allocate = linker.downcallHandle(function, FunctionDescriptor.of(ADDRESS, JAVA_LONG));
        }

        /** Fills a {@code uzu_string}. */
        void write(MemorySegment string, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            MemorySegment data;
            try {
                data = (MemorySegment) allocate.invokeExact(bytes.length + 1L);
            } catch (Throwable impossible) {
                throw new AssertionError("allocate throws nothing", impossible);
            }
            if (data.equals(MemorySegment.NULL)) {
                throw new UzuException.OutOfMemory("No memory for a result of " + bytes.length + " bytes");
            }
            MemorySegment target = data.reinterpret(bytes.length + 1L);
            MemorySegment.copy(bytes, 0, target, JAVA_BYTE, 0, bytes.length);
            target.set(JAVA_BYTE, bytes.length, (byte) 0);
            MemorySegment struct = string.reinterpret(2 * ADDRESS.byteSize());
            struct.set(ADDRESS, 0, data);
            struct.set(JAVA_LONG, ADDRESS.byteSize(), bytes.length);
        }
    }
}
