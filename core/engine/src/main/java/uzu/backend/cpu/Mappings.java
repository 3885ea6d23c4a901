package uzu.backend.cpu;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Anonymous mappings of Linux through its C library; pieces of 2 MiB and more ask for huge pages. */
final class Mappings {
    // A multiple of every page size in use (4 to 64 KiB).
    private static final long PAGE = 64 << 10;
    private static final long HUGE_PAGE = 2L << 20;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int MADV_HUGEPAGE = 14;
    private static final long MAP_FAILED = -1;

    private final MethodHandle mmap;
    private final MethodHandle munmap;
    private final MethodHandle madvise;

    private Mappings(Linker linker, SymbolLookup libc) {
        mmap = linker.downcallHandle(
                libc.findOrThrow("mmap"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG));
        munmap = linker.downcallHandle(
                libc.findOrThrow("munmap"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        madvise = linker.downcallHandle(
                libc.findOrThrow("madvise"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
    }

    /** Null on other systems, whose constants differ, and where the C library can't be reached. */
    static @Nullable Mappings available() {
        // The argument widths above are those of 64-bit Linux.
        if (!System.getProperty("os.name", "").equals("Linux") || ValueLayout.ADDRESS.byteSize() != 8) {
            return null;
        }
        try {
            Linker linker = Linker.nativeLinker();
            return new Mappings(linker, linker.defaultLookup());
        } catch (UnsupportedOperationException | NoSuchElementException absent) {
            return null;
        }
    }

    /** The address of zeroed memory, or 0. */
    long map(long bytes) {
        boolean huge = bytes >= HUGE_PAGE;
        long length = pages(bytes);
        long mapped = huge ? length + HUGE_PAGE : length;
        try {
            long start = (long) mmap.invokeExact(0L, mapped, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
            if (start == MAP_FAILED) {
                return 0;
            }
            if (!huge) {
                return start;
            }
            // Huge pages need their own alignment: what sticks out on either side goes back.
            long address = (start + HUGE_PAGE - 1) & -HUGE_PAGE;
            cut(start, address - start);
            cut(address + length, start + mapped - address - length);
            int ignored = (int) madvise.invokeExact(address, length, MADV_HUGEPAGE);
            return address;
        } catch (Throwable impossible) {
            throw new LinkageError("mmap", impossible);
        }
    }

    void unmap(long address, long bytes) {
        cut(address, pages(bytes));
    }

    private void cut(long address, long bytes) {
        if (bytes == 0) {
            return;
        }
        try {
            int ignored = (int) munmap.invokeExact(address, bytes);
        } catch (Throwable impossible) {
            throw new LinkageError("munmap", impossible);
        }
    }

    private static long pages(long bytes) {
        return (bytes + PAGE - 1) & -PAGE;
    }
}
