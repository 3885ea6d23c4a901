package uzu.backend.cpu;

import java.lang.foreign.MemorySegment;
import java.util.List;
import uzu.KvCache;
import uzu.backend.Program;

/**
 * Where keys and values lie in a buffer of {@code capacity} positions: [layer][keys | values][kvHead][capacity]
 * [headSize], in the cache's type. A block of a sequence holds {@link #BLOCK} positions; what a pass computed lies in a
 * buffer of the same kind, one position a row.
 */
final class KeyValueLayout {
    /** Positions of a block; also the unit in which attention is summed up, so a constant of the results. */
    static final int BLOCK = 256;

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
    long rowBytes(int layer) {
        return (long) layers.get(layer).headSize() * bytes(type);
    }

    /** Offset of the first position's key. */
    long keys(int layer, int head, int capacity) {
        return (layerStart[layer] + head * rowBytes(layer)) * capacity;
    }

    long values(int layer, int head, int capacity) {
        return keys(layer, head, capacity) + valuesStart(layer) * capacity;
    }

    /** Copies all layers of {@code count} consecutive positions from one buffer to another. */
    void copy(long from, int fromCapacity, int fromPosition, long to, int toCapacity, int toPosition, int count) {
        for (int layer = 0; layer < layerStart.length; layer++) {
            long rowBytes = rowBytes(layer);
            // Keys and values of a layer are 2 · kvHeads runs, all spaced alike.
            for (int run = 0; run < 2 * layers.get(layer).kvHeads(); run++) {
                long source = from + (layerStart[layer] + run * rowBytes) * fromCapacity + fromPosition * rowBytes;
                long target = to + (layerStart[layer] + run * rowBytes) * toCapacity + toPosition * rowBytes;
                MemorySegment.copy(Memory.ALL, source, Memory.ALL, target, count * rowBytes);
            }
        }
    }

    private long valuesStart(int layer) {
        return layers.get(layer).kvHeads() * rowBytes(layer);
    }
}
