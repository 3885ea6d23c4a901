package uzu.backend.cpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import uzu.KvCache;
import uzu.backend.Program;

/**
 * Where keys and values lie in a buffer of {@code capacity} positions: [layer][keys | values][kvHead][capacity]
 * [headSize], in the cache's type. What a pass computed lies there a row of the batch after the other; a block of a
 * sequence holds {@link #BLOCK} positions, the keys of {@link #PANEL} together: [panel][column][position], so that a
 * query meets many keys at once.
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
        layerStart = new long[layers.size()];
        long start = 0;
        for (int layer = 0; layer < layerStart.length; layer++) {
            layerStart[layer] = start;
            start += 2 * valuesStart(layer);
        }
        positionBytes = start;
    }

    static int bytes(KvCache type) {
        return switch (type) {
            case F32 -> 4;
            case F16, BF16 -> 2;
        };
    }

    KvCache type() {
        return type;
    }

    Program.Layer layer(int layer) {
        return layers.get(layer);
    }

    /** Bytes of a buffer of {@code capacity} positions; at least 1. */
    long bufferBytes(int capacity) {
        return Math.max(1, positionBytes * capacity);
    }

    /** Bytes of one position of one head. */
    static long rowBytes(KvCache type, int headSize) {
        return (long) headSize * bytes(type);
    }

    /** Bytes of one position of one head. */
    long rowBytes(int layer) {
        return rowBytes(type, layers.get(layer).headSize());
    }

    /** Offset of the first position's key. */
    long keys(int layer, int head, int capacity) {
        return (layerStart[layer] + head * rowBytes(layer)) * capacity;
    }

    long values(int layer, int head, int capacity) {
        return keys(layer, head, capacity) + valuesStart(layer) * capacity;
    }

    /** Takes over {@code count} rows of a pass, from {@code row} on, as the positions of a block from {@code to} on. */
    void commit(long pending, int capacity, int row, long block, int to, int count) {
        for (int layer = 0; layer < layerStart.length; layer++) {
            long rowBytes = rowBytes(layer);
            for (int head = 0; head < layers.get(layer).kvHeads(); head++) {
                long keys = pending + keys(layer, head, capacity);
                long panels = block + keys(layer, head, BLOCK);
                for (int i = 0; i < count; i++) {
                    int position = to + i;
                    long panel = panels + position / PANEL * PANEL * rowBytes;
                    spread(keys + (row + i) * rowBytes, layers.get(layer).headSize(), panel, position % PANEL);
                }
                long source = pending + values(layer, head, capacity) + row * rowBytes;
                long target = block + values(layer, head, BLOCK) + to * rowBytes;
                MemorySegment.copy(Memory.ALL, source, Memory.ALL, target, count * rowBytes);
            }
        }
    }

    /** Makes a key the one at {@code lane} of a panel. */
    private void spread(long key, int columns, long panel, int lane) {
        switch (bytes(type)) {
            case 2 -> {
                for (long c = 0; c < columns; c++) {
                    short number = Memory.ALL.get(JAVA_SHORT, key + 2 * c);
                    Memory.ALL.set(JAVA_SHORT, panel + 2 * (c * PANEL + lane), number);
                }
            }
            default -> {
                for (long c = 0; c < columns; c++) {
                    int number = Memory.ALL.get(JAVA_INT, key + 4 * c);
                    Memory.ALL.set(JAVA_INT, panel + 4 * (c * PANEL + lane), number);
                }
            }
        }
    }

    /** Copies the first {@code count} positions of a block to another. */
    void copy(long from, long to, int count) {
        int panels = (count + PANEL - 1) / PANEL;
        for (int layer = 0; layer < layerStart.length; layer++) {
            long rowBytes = rowBytes(layer);
            for (int head = 0; head < layers.get(layer).kvHeads(); head++) {
                long keys = keys(layer, head, BLOCK);
                long values = values(layer, head, BLOCK);
                MemorySegment.copy(Memory.ALL, from + keys, Memory.ALL, to + keys, panels * PANEL * rowBytes);
                MemorySegment.copy(Memory.ALL, from + values, Memory.ALL, to + values, count * rowBytes);
            }
        }
    }

    private long valuesStart(int layer) {
        return layers.get(layer).kvHeads() * rowBytes(layer);
    }
}
