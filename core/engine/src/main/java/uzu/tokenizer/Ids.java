package uzu.tokenizer;

import java.util.Arrays;

/** A growing list of token ids. */
final class Ids {
    private int[] ids = new int[64];
    private int size;

    void add(int id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size * 2);
        }
        ids[size++] = id;
    }

    void addAll(int[] more) {
        if (size + more.length > ids.length) {
            ids = Arrays.copyOf(ids, Math.max(size + more.length, size * 2));
        }
        System.arraycopy(more, 0, ids, size, more.length);
        size += more.length;
    }

    int size() {
        return size;
    }

    int[] from(int start) {
        return Arrays.copyOfRange(ids, start, size);
    }
}
