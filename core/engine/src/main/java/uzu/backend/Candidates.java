package uzu.backend;

/** Tokens with their scaled logits, reused from draw to draw; entries from {@code size} on mean nothing. */
public final class Candidates {
    public int[] tokens = new int[1024];
    public float[] values = new float[1024];
    public int size;

    /** Has room for {@code count} entries; what was there is lost if it had not. */
    public void reserve(int count) {
        if (count > tokens.length) {
            int capacity = Integer.highestOneBit(2 * count - 1);
            tokens = new int[capacity];
            values = new float[capacity];
        }
    }
}
