package uzu.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import uzu.UzuException;

/** Merges from a list: the earlier a pair stands in it, the sooner it merges. Open addressing, 16 bytes a slot. */
final class RankedMerges implements Merges {
    private final long[] pairs;
    private final long[] merges;
    private final int mask;
    private byte[] joined = new byte[256];

    /** @param count how many merges will be added at most */
    RankedMerges(int count) {
        int capacity = Integer.highestOneBit(Math.max(count, 8) * 4 / 3) * 2;
        pairs = new long[capacity];
        merges = new long[capacity];
        mask = capacity - 1;
    }

    /**
     * Enters the merge of two pieces without lone surrogates; the vocabulary must have them and what they become.
     */
    void add(Vocabulary vocabulary, String left, String right, int rank) {
        int most = 3 * (left.length() + right.length());
        if (joined.length < most) {
            joined = new byte[2 * most];
        }
        int middle = Utf8.encode(left, 0, left.length(), joined, 0);
        int end = Utf8.encode(right, 0, right.length(), joined, middle);
        add(vocabulary, joined, middle, end, rank);
    }

    /** The same, of pieces spelled {@code text[0, middle)} and {@code text[middle, end)}. */
    void add(Vocabulary vocabulary, byte[] text, int middle, int end, int rank) {
        add(
                known(vocabulary, text, 0, middle, rank),
                known(vocabulary, text, middle, end, rank),
                rank,
                known(vocabulary, text, 0, end, rank));
    }

    private static int known(Vocabulary vocabulary, byte[] text, int from, int to, int rank) {
        int id = vocabulary.find(text, from, to);
        if (id < 0) {
            String piece = new String(text, from, to - from, StandardCharsets.UTF_8);
            throw new UzuException.ModelCorrupt(
                    "Merge " + rank + " needs \"" + piece + "\", which the vocabulary lacks",
                    Map.of("field", "merges", "token", piece));
        }
        return id;
    }

    /** A pair that is there already keeps its rank. */
    void add(int left, int right, int rank, int result) {
        long pair = pair(left, right);
        int slot = slot(pair);
        if (pairs[slot] == 0) {
            pairs[slot] = pair;
            merges[slot] = (long) rank << 32 | result;
        }
    }

    @Override
    public long find(Symbols symbols, int left, int right) {
        int a = symbols.id(left);
        int b = symbols.id(right);
        if (a < 0 || b < 0) {
            return NONE;
        }
        int slot = slot(pair(a, b));
        return pairs[slot] == 0 ? NONE : merges[slot];
    }

    // Plus one, so that the pair (0, 0) is not an empty slot.
    private static long pair(int left, int right) {
        return ((long) left << 32 | right) + 1;
    }

    private int slot(long pair) {
        long hash = pair * 0x9E3779B97F4A7C15L;
        int slot = (int) (hash >>> 40) & mask;
        while (pairs[slot] != 0 && pairs[slot] != pair) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
