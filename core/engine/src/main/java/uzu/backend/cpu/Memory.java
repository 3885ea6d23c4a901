package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.format.SharedArena;

/**
 * The one place native memory comes from: zeroed, aligned to 64 bytes, counted, freed by {@link #close}. Large pieces
 * are mappings that ask for huge pages where the system has them (a pass is a fifth slower without), else the JVM's
 * own allocations. Any thread may call.
 */
final class Memory implements AutoCloseable {
    /** All of the address space, for access by absolute address. */
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** The same, number by number. */
    static final RawMemory RAW = RawMemory.here();

    static final int ALIGNMENT = 64;

    private record Piece(long bytes, @Nullable SharedArena arena) {}

    private final Map<Long, Piece> pieces = new HashMap<>();
    private final @Nullable Mappings mappings = Mappings.available();
    private long held;
    private long unasked;
    private boolean closed;

    /**
     * The address of {@code bytes} zeroed bytes.
     *
     * @param purpose what they are for, named in the error
     * @throws UzuException.OutOfMemory with the bytes asked for and the bytes still available
     */
    synchronized long allocate(long bytes, String purpose) {
        if (bytes <= 0) {
            throw new UzuException.InvalidArgument(purpose + ": " + bytes + " bytes asked for");
        }
        if (closed) {
            throw new UzuException.Closed(purpose + ": the memory is closed");
        }
        // Many small pieces fill a machine too, and its system ends processes instead of saying no.
        unasked += bytes;
        if (unasked >= AvailableMemory.WORTH_ASKING) {
            if (bytes > AvailableMemory.bytes()) {
                throw outOfMemory(bytes, purpose, null);
            }
            unasked = 0;
        }
        long address;
        Piece piece;
        if (mappings != null) {
            address = mappings.map(bytes);
            piece = new Piece(bytes, null);
            if (address == 0) {
                throw outOfMemory(bytes, purpose, null);
            }
        } else {
            SharedArena arena = new SharedArena();
            try {
                address = arena.allocate(bytes, ALIGNMENT).address();
            } catch (OutOfMemoryError refused) {
                arena.close();
                throw outOfMemory(bytes, purpose, refused);
            }
            piece = new Piece(bytes, arena);
        }
        pieces.put(address, piece);
        held += bytes;
        return address;
    }

    /** Gives back one piece; no kernel may still use it. */
    synchronized void free(long address) {
        Piece piece = pieces.remove(address);
        if (piece != null) {
            release(address, piece);
            held -= piece.bytes;
        }
    }

    /** Bytes held now. */
    synchronized long bytes() {
        return held;
    }

    @Override
    public synchronized void close() {
        closed = true;
        pieces.forEach(this::release);
        pieces.clear();
        held = 0;
    }

    private void release(long address, Piece piece) {
        if (piece.arena != null) {
            piece.arena.close();
        } else if (mappings != null) {
            mappings.unmap(address, piece.bytes);
        }
    }

    private UzuException.OutOfMemory outOfMemory(long bytes, String purpose, @Nullable Throwable cause) {
        long available = AvailableMemory.bytes();
        return new UzuException.OutOfMemory(
                purpose + " needs " + bytes + " bytes of memory; " + available + " are available",
                Map.of(
                        "purpose", purpose,
                        "bytes", Long.toString(bytes),
                        "available", Long.toString(available),
                        "held", Long.toString(held)),
                cause);
    }
}
