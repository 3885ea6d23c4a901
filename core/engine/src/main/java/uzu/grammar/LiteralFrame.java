package uzu.grammar;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Fixed bytes, from {@code at} on, of which at least one is still to come. */
final class LiteralFrame extends Frame {
    static final LiteralFrame NULL = behindFirst("null");
    static final LiteralFrame TRUE = behindFirst("true");
    static final LiteralFrame FALSE = behindFirst("false");

    private final byte[] bytes;
    private final int at;
    /** Tokens from each place on. */
    private final int[] costs;

    private LiteralFrame(byte[] bytes, int at, int[] costs) {
        this.bytes = bytes;
        this.at = at;
        this.costs = costs;
    }

    /** All of {@code text}, which isn't empty. */
    static LiteralFrame of(String text, TokenTrie trie) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] costs = new int[bytes.length];
        Arrays.setAll(costs, at -> trie.count(bytes, at));
        return new LiteralFrame(bytes, 0, costs);
    }

    private static LiteralFrame behindFirst(String word) {
        byte[] bytes = word.getBytes(StandardCharsets.US_ASCII);
        int[] costs = new int[bytes.length];
        Arrays.setAll(costs, at -> bytes.length - at);
        return new LiteralFrame(bytes, 1, costs);
    }

    @Override
    void step(int b, Stack below, Threads out) {
        if ((bytes[at] & 0xFF) == b) {
            if (at + 1 == bytes.length) {
                out.end(0, below);
            } else {
                out.add(new LiteralFrame(bytes, at + 1, costs), below);
            }
        }
    }

    @Override
    int cost(Stack below) {
        return Cost.sum(costs[at], below.cost());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LiteralFrame literal
                && Arrays.equals(bytes, at, bytes.length, literal.bytes, literal.at, literal.bytes.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = at; i < bytes.length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }
}
