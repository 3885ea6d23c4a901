package uzu.tokenizer;

import java.util.Map;
import uzu.UzuException;

/** Merges from a list: the earlier a pair stands in it, the sooner it merges. Open addressing, 16 bytes a slot. */
final class RankedMerges implements Merges {
    private final long[] pairs;
    private final long[] merges;
    private final int mask;

    /** @param count how many merges will be added at most */
    RankedMerges(int count) {
        int capacity = Integer.highestOneBit(Math.max(count, 8) * 4 / 3) * 2;
        pairs = new long[capacity];
        merges = new long[capacity];
        mask = capacity - 1;
    }

    /** Enters the merge of two pieces, which the vocabulary must have, as well as what they become. */
    void add(Vocabulary vocabulary, String left, String right, int rank) {
        add(known(vocabulary, left, rank), known(vocabulary, right, rank), rank, known(vocabulary, left + right, rank));
    }

    private static int known(Vocabulary vocabulary, String piece, int rank) {
        int id = vocabulary.find(piece);
        if (id < 0) {
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
