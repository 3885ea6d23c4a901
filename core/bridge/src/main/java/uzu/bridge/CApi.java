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
import java.util.function.Supplier;
import uzu.ErrorCode;
import uzu.UzuException;

/** The functions behind {@code uzu.h} as a table of upcall stubs, which the host library has filled once. */
public final class CApi {
    private static final FunctionDescriptor ENTRY =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);

    private static final int OK = 0;
    private static final int TIMEOUT = 1;
    private static final int END = 2;

    private final Bridge bridge = new Bridge();
    private final CMemory memory;

    private CApi(CMemory memory) {
        this.memory = memory;
    }

    @FunctionalInterface
    private interface Entry {
        int run(CArguments arguments);
    }

    /**
     * Called once by the host through JNI.
     *
     * @param table address of {@code slots} function pointers, in the order of {@link #entries}
     * @param allocate address of {@code void *allocate(int64_t size)}, whose memory the host frees
     * @return how many entries there are
     */
    public static int fill(long table, int slots, long allocate) throws ReflectiveOperationException {
        Linker linker = Linker.nativeLinker();
        CApi api = new CApi(new CMemory(linker, MemorySegment.ofAddress(allocate)));
        List<Entry> entries = api.entries();
        if (entries.size() != slots) {
            return entries.size();
        }
        MethodHandle enter = MethodHandles.lookup()
                .findVirtual(
                        CApi.class,
                        "enter",
                        MethodType.methodType(
                                int.class,
                                Entry.class,
                                long.class,
                                MemorySegment.class,
                                long.class,
                                MemorySegment.class,
                                MemorySegment.class))
                .bindTo(api);
        MemorySegment pointers = MemorySegment.ofAddress(table).reinterpret(ADDRESS.byteSize() * slots);
        for (int i = 0; i < slots; i++) {
            MethodHandle entry = MethodHandles.insertArguments(enter, 0, entries.get(i));
            pointers.setAtIndex(ADDRESS, i, linker.upcallStub(entry, ENTRY, Arena.global()));
        }
        return slots;
    }

    /** In the order of {@code uzu_table} in host.h. */
    private List<Entry> entries() {
        return List.of(
                call -> done(() -> bridge.handleClose(call.handle())),
                call -> call.value(() -> bridge.engineCreate(call.optional(0))),
                call -> call.string(() -> bridge.engineModels(call.handle(), call.optional(0))),
                call -> call.string(() -> bridge.engineVendors(call.handle())),
                call -> call.string(() -> bridge.engineFamilies(call.handle())),
                call -> call.string(() -> bridge.engineRegistries(call.handle())),
                call -> call.string(() -> bridge.engineModel(call.handle(), call.text(0, "identifier"))),
                call -> call.string(() -> bridge.engineModelPath(call.handle(), call.text(0, "model"))),
                call -> call.string(() -> bridge.engineCapabilities(call.handle(), call.text(0, "model"))),
                call -> call.value(
                        () -> bridge.engineCountTokens(call.handle(), call.text(0, "model"), call.text(1, "text"))),
                call -> call.value(() -> bridge.engineChat(call.handle(), call.text(0, "model"), call.optional(1))),
                call -> call.value(() -> bridge.engineInstance(call.handle(), call.text(0, "model"), call.optional(1))),
                call -> call.value(() -> bridge.instanceMemoryUsed(call.handle())),
                call -> call.value(() -> bridge.instanceChat(call.handle())),
                call -> call.value(() -> bridge.engineComplete(
                        call.handle(), call.text(0, "model"), call.text(1, "text"), call.optional(2))),
                call -> call.value(() -> bridge.downloadStart(call.handle(), call.text(0, "model"))),
                call -> call.value(() -> bridge.downloadWatch(call.handle(), call.text(0, "model"))),
                call -> call.string(() -> bridge.downloadState(call.handle(), call.text(0, "model"))),
                call -> call.string(() -> bridge.downloadStates(call.handle())),
                call -> done(() -> bridge.downloadResume(call.handle(), call.text(0, "model"))),
                call -> done(() -> bridge.downloadPause(call.handle(), call.text(0, "model"))),
                call -> done(() -> bridge.downloadDelete(call.handle(), call.text(0, "model"))),
                call -> call.value(
                        () -> bridge.sessionReply(call.handle(), call.text(0, "messages"), call.optional(1))),
                call -> call.string(() -> bridge.sessionMessages(call.handle())),
                call -> call.string(() -> bridge.sessionState(call.handle())),
                call -> call.value(() -> bridge.sessionContextLength(call.handle())),
                call -> done(() -> bridge.sessionReset(call.handle())),
                call -> done(() -> bridge.sessionSetMessages(call.handle(), call.text(0, "messages"))),
                call -> call.value(() -> bridge.sessionSupportsToolCalls(call.handle())),
                call -> done(() -> bridge.sessionAddTool(call.handle(), call.text(0, "tool"))),
                call -> call.value(() -> bridge.sessionFork(call.handle())),
                call -> done(() -> bridge.sessionSave(call.handle(), call.text(0, "path"))),
                call -> done(() -> bridge.sessionRestore(call.handle(), call.text(0, "path"))),
                call -> poll(call, () -> bridge.streamNext(call.handle(), call.number())),
                call -> done(() -> bridge.streamCancel(call.handle())),
                call -> done(() -> bridge.streamToolResults(call.handle(), call.text(0, "results"))),
                call -> call.value(bridge::queueCreate),
                call -> done(() -> bridge.queueAdd(call.handle(), call.number())),
                call -> poll(call, () -> bridge.queueNext(call.handle(), call.number())));
    }

    /** Every call from C comes through here; nothing is thrown back, for a JVM ends the process at that. */
    private int enter(
            Entry entry, long handle, MemorySegment texts, long number, MemorySegment out, MemorySegment error) {
        try {
            return entry.run(new CArguments(memory, handle, texts, number, out));
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

    private static int done(Runnable action) {
        action.run();
        return OK;
    }

    private static int poll(CArguments call, Supplier<Poll> look) {
        call.needResult();
        return switch (look.get()) {
            case Poll.Ready ready -> call.string(ready::json);
            case Poll.Timeout timeout -> TIMEOUT;
            case Poll.End end -> END;
        };
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
