package uzu.backend.cpu;

import org.jspecify.annotations.Nullable;

/** Anonymous mappings through the library of kernels; pieces of 2 MiB and more ask for huge pages. */
final class Mappings {
    // A multiple of every page size in use (4 to 64 KiB).
    private static final long PAGE = 64 << 10;
    private static final long HUGE_PAGE = 2L << 20;

    private final NativeCalls calls;

    private Mappings(NativeCalls calls) {
        this.calls = calls;
    }

    /** Null where there is no library, and on Windows, which frees mappings only as a whole. */
    static @Nullable Mappings available() {
        boolean windows = NativeLibrary.platformPath().startsWith("windows");
        return windows
                ? null
                : NativeLibrary.loaded()
                        .map(library -> new Mappings(library.calls()))
                        .orElse(null);
    }

    /** The address of zeroed memory, or 0. */
    long map(long bytes) {
        boolean huge = bytes >= HUGE_PAGE;
        long length = pages(bytes);
        long mapped = huge ? length + HUGE_PAGE : length;
        long start = calls.map(mapped);
        if (start == 0 || !huge) {
            return start;
        }
        // Huge pages need their own alignment: what sticks out on either side goes back.
        long address = (start + HUGE_PAGE - 1) & -HUGE_PAGE;
        cut(start, address - start);
        cut(address + length, start + mapped - address - length);
        calls.wantHugePages(address, length);
        return address;
    }

    void unmap(long address, long bytes) {
        cut(address, pages(bytes));
    }

    private void cut(long address, long bytes) {
        if (bytes > 0) {
            calls.unmap(address, bytes);
        }
    }

    private static long pages(long bytes) {
        return (bytes + PAGE - 1) & -PAGE;
    }
}
