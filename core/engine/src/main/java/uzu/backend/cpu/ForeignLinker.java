package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Collections;

/** C by the Foreign Function & Memory API. */
final class ForeignLinker implements CLinker {
    private static final int NUMBERS = 19;

    @SuppressWarnings("restricted")
    private static final MethodHandle CALL = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(
                    JAVA_LONG, Collections.nCopies(NUMBERS, JAVA_LONG).toArray(MemoryLayout[]::new)));

    @Override
    @SuppressWarnings("restricted")
    public Symbols open(Path library) {
        SymbolLookup symbols = SymbolLookup.libraryLookup(library.toAbsolutePath(), Arena.global());
        return name -> symbols.find(name).map(MemorySegment::address).orElse(0L);
    }

    @Override
    public long call(
            long entry,
            long operation,
            long function,
            long a0,
            long a1,
            long a2,
            long a3,
            long a4,
            long a5,
            long a6,
            long a7,
            long a8,
            long a9,
            long a10,
            long a11,
            long a12,
            long a13,
            long a14,
            long a15,
            long a16) {
        try {
            return (long) CALL.invokeExact(
                    MemorySegment.ofAddress(entry),
                    operation,
                    function,
                    a0,
                    a1,
                    a2,
                    a3,
                    a4,
                    a5,
                    a6,
                    a7,
                    a8,
                    a9,
                    a10,
                    a11,
                    a12,
                    a13,
                    a14,
                    a15,
                    a16);
        } catch (Error | RuntimeException thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            throw new IllegalStateException("a call of a C kernel failed", thrown);
        }
    }
}
