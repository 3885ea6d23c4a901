package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import uzu.KvCache;
import uzu.UzuException;
import uzu.backend.Program;

/**
 * Where keys and values lie in a buffer of {@code capacity} positions: [layer][keys | values][kvHead][capacity]
 * [headSize], in the cache's type. What a pass computed lies there a row of the batch after the other; a block of a
 * sequence holds {@link #BLOCK} positions, the keys of {@link #PANEL} together: [panel][column][position], so that a
 * query meets many keys at once.
 *
 * <p>Quantised, a position of a head is turned first, in runs as long as the largest power of two that divides its
 * size, by the Hadamard matrix of that order, since keys have columns far larger than the others; then it is in groups of
 * {@link #GROUP} columns: Q8 [column] bytes q, then [group] f16 d, the number being d·q; Q4 [group][16] bytes with column
 * i in the low half and column i + 16 in the high half of byte i, then [group] f16 d, then [group] f16 m, the number being
 * d·q + m. Keys are Q8 in both. A panel of them is then [group]{ [four bytes][position], [position] d }.
 */
final class KeyValueLayout {
    /** Positions of a block; also the unit in which attention is summed up, so a constant of the results. */
    static final int BLOCK = 256;

    /** Positions of a panel of keys. */
    static final int PANEL = 16;

    private final KvCache type;
    private final List<Program.Layer> layers;
    // Of each layer's first byte, divided by the capacity.
    private final long[] layerStart;
    private final long positionBytes;

    KeyValueLayout(KvCache type, List<Program.Layer> layers) {
        this.type = type;
        this.layers = List.copyOf(layers);
        for (Program.Layer layer : layers) {
            if (isQuantised(type) && (layer.headSize() % GROUP != 0 || layer.headSize() > MOST_QUANTISED)) {
                throw new UzuException.InvalidArgument(
                        "a kv_cache of " + type + " needs heads of a multiple of " + GROUP + " numbers up to "
                                + MOST_QUANTISED + ", not of "
                                + layer.headSize(),
                        Map.of("kv_cache", type.name(), "head_size", Integer.toString(layer.headSize())));
            }
        }
        layerStart = new long[layers.size()];
        long start = 0;
        for (int layer = 0; layer < layerStart.length; layer++) {
            layerStart[layer] = start;
            start += layers.get(layer).kvHeads() * (keyBytes(layer) + valueBytes(layer));
        }
        positionBytes = start;
    }

    /** Numbers that share a scale where they are quantised. */
    static final int GROUP = 32;

    // As in cache_quants.h.
    private static final int MOST_QUANTISED = 1024;

    static boolean isQuantised(KvCache type) {
        return type == KvCache.Q8 || type == KvCache.Q4;
    }

    /** How keys are stored: in eight bits where values have four, as in four they cost several times what values do. */
    static KvCache keyType(KvCache type) {
        return type == KvCache.Q4 ? KvCache.Q8 : type;
    }

    /** Bytes of one position of one head. */
    static int rowBytes(KvCache type, int headSize) {
        return switch (type) {
            case F32 -> 4 * headSize;
            case F16, BF16 -> 2 * headSize;
            case Q8 -> headSize + 2 * (headSize / GROUP);
            case Q4 -> headSize / 2 + 4 * (headSize / GROUP);
        };
    }

    KvCache type() {
        return type;
    }

    List<Program.Layer> layers() {
        return layers;
    }

    Program.Layer layer(int layer) {
        return layers.get(layer);
    }

    /** Bytes of a buffer of {@code capacity} positions; at least 1. */
    long bufferBytes(int capacity) {
        return Math.max(1, positionBytes * capacity);
    }

    /** Bytes of one position's key of one head. */
    long keyBytes(int layer) {
        return rowBytes(keyType(type), layers.get(layer).headSize());
    }

    /** Bytes of one position's value of one head. */
    long valueBytes(int layer) {
        return rowBytes(type, layers.get(layer).headSize());
    }

    /** Offset of the first position's key. */
    long keys(int layer, int head, int capacity) {
        return (layerStart[layer] + head * keyBytes(layer)) * capacity;
    }

    long values(int layer, int head, int capacity) {
        return (layerStart[layer] + valuesStart(layer) + head * valueBytes(layer)) * capacity;
    }

    /**
     * Takes over the keys of {@code count} rows of a pass, from {@code row} on, as those of a block's positions from
     * {@code to} on.
     */
    void commitKeys(int layer, int head, long pending, int capacity, int row, long block, int to, int count) {
        long keyBytes = keyBytes(layer);
        long keys = pending + keys(layer, head, capacity);
        long panels = block + keys(layer, head, BLOCK);
        for (int i = 0; i < count; i++) {
            int position = to + i;
            long panel = panels + position / PANEL * PANEL * keyBytes;
            long key = keys + (row + i) * keyBytes;
            spread(keyType(type), key, layers.get(layer).headSize(), panel, position % PANEL);
        }
    }

    /** The same of values. */
    void commitValues(int layer, int head, long pending, int capacity, int row, long block, int to, int count) {
        long valueBytes = valueBytes(layer);
        long source = pending + values(layer, head, capacity) + row * valueBytes;
        long target = block + values(layer, head, BLOCK) + to * valueBytes;
        MemorySegment.copy(Memory.ALL, source, Memory.ALL, target, count * valueBytes);
    }

    /** Makes a key the one at {@code lane} of a panel. */
    static void spread(KvCache type, long key, int columns, long panel, int lane) {
        switch (type) {
            case F16, BF16 -> shorts(key, columns, panel, lane);
            case F32 -> ints(key, columns, panel, lane);
            case Q8 -> {
                for (int group = 0; group < columns / GROUP; group++) {
                    ints(key + (long) group * GROUP, GROUP / 4, panel, lane);
                    panel += (long) PANEL * GROUP;
                    shorts(key + columns + 2L * group, 1, panel, lane);
                    panel += 2L * PANEL;
                }
            }
            case Q4 -> throw new IllegalArgumentException("keys have eight bits");
        }
    }

    private static void shorts(long from, int count, long to, int lane) {
        for (long i = 0; i < count; i++) {
            Memory.RAW.putShort(to + 2 * (i * PANEL + lane), Memory.RAW.getShort(from + 2 * i));
        }
    }

    private static void ints(long from, int count, long to, int lane) {
        for (long i = 0; i < count; i++) {
            Memory.RAW.putInt(to + 4 * (i * PANEL + lane), Memory.RAW.getInt(from + 4 * i));
        }
    }

    /** Copies the first {@code rows} rows of a pass to a buffer of another capacity. */
    void move(long from, int capacity, long to, int toCapacity, int rows) {
        for (int layer = 0; layer < layerStart.length; layer++) {
            for (int head = 0; head < layers.get(layer).kvHeads(); head++) {
                long keys = from + keys(layer, head, capacity);
                long values = from + values(layer, head, capacity);
                long toKeys = to + keys(layer, head, toCapacity);
                long toValues = to + values(layer, head, toCapacity);
                MemorySegment.copy(Memory.ALL, keys, Memory.ALL, toKeys, rows * keyBytes(layer));
                MemorySegment.copy(Memory.ALL, values, Memory.ALL, toValues, rows * valueBytes(layer));
            }
        }
    }

    /** Copies the first {@code count} positions of a block to another. */
    void copy(long from, long to, int count) {
        int panels = (count + PANEL - 1) / PANEL;
        for (int layer = 0; layer < layerStart.length; layer++) {
            for (int head = 0; head < layers.get(layer).kvHeads(); head++) {
                long keys = keys(layer, head, BLOCK);
                long values = values(layer, head, BLOCK);
                MemorySegment.copy(Memory.ALL, from + keys, Memory.ALL, to + keys, panels * PANEL * keyBytes(layer));
                MemorySegment.copy(Memory.ALL, from + values, Memory.ALL, to + values, count * valueBytes(layer));
            }
        }
    }

    private long valuesStart(int layer) {
        return layers.get(layer).kvHeads() * keyBytes(layer);
    }
}
