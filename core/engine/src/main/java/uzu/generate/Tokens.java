package uzu.generate;

import java.util.Arrays;
import uzu.speculate.TokenPath;

/** A growing list of token ids. */
final class Tokens implements TokenPath {
    private int[] ids = new int[64];
    private int size;

    @Override
    public int size() {
        return size;
    }

    @Override
    public int get(int index) {
        return ids[index];
    }

    void add(int id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, Math.multiplyExact(size, 2));
        }
        ids[size++] = id;
    }

    void truncate(int length) {
        size = Math.min(size, length);
    }

    /** How many of the first tokens are those of {@code other}. */
    int commonPrefix(int[] other) {
        int mismatch = Arrays.mismatch(ids, 0, size, other, 0, other.length);
        return mismatch < 0 ? size : mismatch;
    }
}
