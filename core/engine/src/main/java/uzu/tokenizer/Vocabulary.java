package uzu.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;

/**
 * The pieces of a vocabulary as one block of UTF-8, found by id and, through an open-addressing table, by spelling.
 * About 25 bytes a piece.
 */
final class Vocabulary {
    /** What a piece is, numbered as in GGUF's {@code tokenizer.ggml.token_type}. */
    enum Kind {
        /** An id without a piece. */
        HOLE,
        NORMAL,
        UNKNOWN,
        CONTROL,
        /** Taken out of the text before everything else, and shown. */
        USER,
        UNUSED,
        /** {@code <0x0A>}: stands for one byte. */
        BYTE;

        boolean special() {
            return this == HOLE || this == UNKNOWN || this == CONTROL || this == UNUSED;
        }
    }

    private final byte[] text;
    private final int[] starts;
    private final Kind[] kinds;
    private final int[] slots;
    private final int longest;

    /** @param pieces by id, without lone surrogates; null where an id has none */
    Vocabulary(@Nullable String[] pieces, Kind[] kinds) {
        this.kinds = kinds;
        int size = pieces.length;
        starts = new int[size + 1];
        slots = new int[Integer.highestOneBit(Math.max(size, 8)) * 4];
        byte[] block = new byte[Math.max(64, size * 8)];
        int end = 0;
        int most = 0;
        for (int id = 0; id < size; id++) {
            starts[id] = end;
            String piece = pieces[id];
            if (piece == null) {
                kinds[id] = Kind.HOLE;
                continue;
            }
            byte[] spelled = piece.getBytes(StandardCharsets.UTF_8);
            if (end + spelled.length > block.length) {
                block = Arrays.copyOf(block, Math.max(end + spelled.length, block.length + block.length / 2));
            }
            System.arraycopy(spelled, 0, block, end, spelled.length);
            end += spelled.length;
            most = Math.max(most, spelled.length);
        }
        starts[size] = end;
        text = Arrays.copyOf(block, end);
        longest = most;
        for (int id = 0; id < size; id++) {
            if (kinds[id] != Kind.HOLE) {
                enter(id);
            }
        }
    }

    private void enter(int id) {
        int slot = slot(text, starts[id], starts[id + 1]);
        if (slots[slot] != 0) {
            int other = slots[slot] - 1;
            throw new UzuException.ModelCorrupt(
                    "The vocabulary has \"" + piece(id) + "\" twice, as " + other + " and as " + id,
                    Map.of("field", "tokens", "token", piece(id)));
        }
        slots[slot] = id + 1;
    }

    int size() {
        return kinds.length;
    }

    Kind kind(int id) {
        return kinds[id];
    }

    String piece(int id) {
        return new String(text, starts[id], starts[id + 1] - starts[id], StandardCharsets.UTF_8);
    }

    byte[] spelling(int id) {
        return Arrays.copyOfRange(text, starts[id], starts[id + 1]);
    }

    /** The id of the piece spelled as {@code bytes[from, to)}, -1 if there is none. */
    int find(byte[] bytes, int from, int to) {
        if (to - from > longest) {
            return -1;
        }
        return slots[slot(bytes, from, to)] - 1;
    }

    int find(String piece) {
        byte[] spelled = piece.getBytes(StandardCharsets.UTF_8);
        return find(spelled, 0, spelled.length);
    }

    /** Like {@link #find(byte[], int, int)}, of the pieces text is made of: it never becomes a control token. */
    int findText(byte[] bytes, int from, int to) {
        int id = find(bytes, from, to);
        return id >= 0 && (kinds[id] == Kind.NORMAL || kinds[id] == Kind.USER || kinds[id] == Kind.UNUSED) ? id : -1;
    }

    /** Whether the piece has a {@code ▁} (E2 96 81) behind its start. */
    boolean hasInnerSpace(int id) {
        for (int i = starts[id] + 1; i + 2 < starts[id + 1]; i++) {
            if (text[i] == (byte) 0xE2 && text[i + 1] == (byte) 0x96 && text[i + 2] == (byte) 0x81) {
                return true;
            }
        }
        return false;
    }

    /** Where the piece is, or the empty slot where it would be. */
    private int slot(byte[] bytes, int from, int to) {
        // FNV-1a; a smaller multiplier lets short pieces collide.
        int hash = 0x811C9DC5;
        for (int i = from; i < to; i++) {
            hash = (hash ^ bytes[i]) * 0x01000193;
        }
        int mask = slots.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        while (slots[slot] != 0) {
            int id = slots[slot] - 1;
            if (Arrays.equals(text, starts[id], starts[id + 1], bytes, from, to)) {
                return slot;
            }
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
