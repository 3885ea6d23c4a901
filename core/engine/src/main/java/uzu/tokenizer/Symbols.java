package uzu.tokenizer;

import java.util.Arrays;

/**
 * The symbols of one piece of text as a linked list, merged pair by pair in O(n log n). Working space of one call,
 * reused from piece to piece.
 */
final class Symbols {
    private byte[] text = new byte[256];
    private int[] ids = new int[64];
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private int[] before = new int[64];
    private int[] after = new int[64];
    /** The merge of each symbol with the next one. */
    private long[] merges = new long[64];
    /** Binary heap of priority and position, the lowest priority first, the leftmost among equals. */
    private long[] heap = new long[128];

    private int size;
    private int heapSize;

    void clear() {
        size = 0;
    }

    /** Room for the UTF-8 of a piece; {@link #start} and {@link #end} are offsets into it. */
    byte[] text(int length) {
        if (text.length < length) {
            text = new byte[Math.max(length, text.length * 2)];
        }
        return text;
    }

    byte[] text() {
        return text;
    }

    /** Appends the symbol for {@code text[start, end)}; its id is -1 when the vocabulary lacks it. */
    void add(int id, int start, int end) {
        if (size == ids.length) {
            int capacity = size * 2;
            ids = Arrays.copyOf(ids, capacity);
            starts = Arrays.copyOf(starts, capacity);
            ends = Arrays.copyOf(ends, capacity);
            before = new int[capacity];
            after = new int[capacity];
            merges = new long[capacity];
        }
        ids[size] = id;
        starts[size] = start;
        ends[size++] = end;
    }

    /** The position behind {@code at} after merging, or {@link #size} at the end; 0 is always the first one. */
    int next(int at) {
        return after[at];
    }

    int size() {
        return size;
    }

    int id(int at) {
        return ids[at];
    }

    int start(int at) {
        return starts[at];
    }

    int end(int at) {
        return ends[at];
    }

    void merge(Merges rule) {
        heapSize = 0;
        for (int i = 0; i < size; i++) {
            before[i] = i - 1;
            after[i] = i + 1;
        }
        for (int i = 0; i < size; i++) {
            offer(rule, i);
        }
        while (heapSize > 0) {
            long top = pop();
            int at = (int) top;
            long merge = merges[at];
            // An entry is stale when its symbol is gone or its neighbour is another one by now.
            if (merge == Merges.NONE || merge >> 32 != top >> 32) {
                continue;
            }
            int gone = after[at];
            ids[at] = (int) merge;
            ends[at] = ends[gone];
            after[at] = after[gone];
            merges[gone] = Merges.NONE;
            if (after[at] < size) {
                before[after[at]] = at;
            }
            offer(rule, at);
            if (before[at] >= 0) {
                offer(rule, before[at]);
            }
        }
    }

    private void offer(Merges rule, int at) {
        int right = after[at];
        long merge = right < size ? rule.find(this, at, right) : Merges.NONE;
        merges[at] = merge;
        if (merge != Merges.NONE) {
            push((merge & 0xFFFFFFFF00000000L) | at);
        }
    }

    private void push(long entry) {
        if (heapSize == heap.length) {
            heap = Arrays.copyOf(heap, heapSize * 2);
        }
        int hole = heapSize++;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (heap[parent] <= entry) {
                break;
            }
            heap[hole] = heap[parent];
            hole = parent;
        }
        heap[hole] = entry;
    }

    private long pop() {
        long top = heap[0];
        long entry = heap[--heapSize];
        int hole = 0;
        int child = 1;
        while (child < heapSize) {
            if (child + 1 < heapSize && heap[child + 1] < heap[child]) {
                child++;
            }
            if (entry <= heap[child]) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
            child = 2 * hole + 1;
        }
        heap[hole] = entry;
        return top;
    }
}
