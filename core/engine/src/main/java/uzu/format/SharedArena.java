package uzu.format;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that all threads may use until it is closed. A native image can't close such an arena: there closing gives
 * mapped pages back to the system, and the garbage collector sees to the rest. Closing is idempotent.
 */
public final class SharedArena implements AutoCloseable {
    private static final boolean CLOSES = System.getProperty("org.graalvm.nativeimage.imagecode") == null;

    private final Arena arena;
    private final List<MemorySegment> mapped = new ArrayList<>();

    @SuppressWarnings("MustBeClosedChecker") // closed by close
    public SharedArena() {
        arena = CLOSES ? Arena.ofShared() : Arena.ofAuto();
    }

    /** Zeroed bytes. */
    public MemorySegment allocate(long bytes, long alignment) {
        return arena.allocate(bytes, alignment);
    }

    /** The whole file, to be read. */
    MemorySegment map(FileChannel file) throws IOException {
        MemorySegment segment = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
        synchronized (mapped) {
            mapped.add(segment);
        }
        return segment;
    }

    @Override
    public void close() {
        synchronized (mapped) {
            if (!CLOSES) {
                mapped.forEach(MemorySegment::unload);
            } else if (arena.scope().isAlive()) {
                arena.close();
            }
            mapped.clear();
        }
    }
}
