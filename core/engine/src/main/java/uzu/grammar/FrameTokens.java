package uzu.grammar;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What a frame says of a vocabulary's tokens by itself, whatever is below it: which may come, and where in the trie it
 * may be over, so that what is below decides on the tokens there.
 */
final class FrameTokens {
    /**
     * Places in the trie behind the frame's end.
     *
     * @param label what the frame says then
     * @param next the byte behind its end
     * @param nodes where that byte leads
     * @param counts characters up to the end, at each node
     */
    record Exits(int label, int next, int[] nodes, int[] counts) {}

    /** A bit for each token that may come; empty where there are {@link #few}. */
    private final long[] bits;

    private final int[] few;
    final Exits[] exits;
    /** Tokens that end a frame whose counts are left out, and the characters up to there; of others none. */
    final int[] closing;

    final int[] closingCounts;
    /** Most tokens that the frame needs after a token, above what is below. */
    final int peak;
    /** Tokens after which the frame needs more than the least, and what it needs then. */
    private final int[] dear;

    private final int[] dearCosts;
    private final int least;

    /** For frames whose counts are left out: characters begun in each token. */
    private final byte[] counts;

    private final AtomicReferenceArray<long[]> within = new AtomicReferenceArray<>(Byte.MAX_VALUE + 1);

    private FrameTokens(
            long[] bits, int[] few, Exits[] exits, Found closing, Found dear, int least, int peak, byte[] counts) {
        this.bits = bits;
        this.few = few;
        this.exits = exits;
        this.dear = Arrays.copyOf(dear.nodes, dear.size);
        this.dearCosts = Arrays.copyOf(dear.counts, dear.size);
        this.least = least;
        this.closing = Arrays.copyOf(closing.nodes, closing.size);
        this.closingCounts = Arrays.copyOf(closing.counts, closing.size);
        this.peak = peak;
        this.counts = counts;
    }

    /** Bytes it takes. */
    long size() {
        long bytes = 8L * bits.length + 4L * few.length + counts.length + 256;
        for (Exits each : exits) {
            bytes += 8L * each.nodes.length + 48;
        }
        bytes += 8L * dear.length;
        return bytes + (counts.length > 0 ? 8L * 32 * bits.length : 0);
    }

    /** Adds the tokens that may come. */
    void into(long[] mask) {
        for (int i = 0; i < bits.length; i++) {
            mask[i] |= bits[i];
        }
        for (int token : few) {
            mask[token >> 6] |= 1L << token;
        }
    }

    /** Adds those of at most so many characters after which at most so many tokens are needed. */
    void into(long[] mask, int most, int affordable, long[] scratch) {
        if (affordable >= peak) {
            into(mask, most);
        } else if (affordable >= least) {
            Arrays.fill(scratch, 0);
            into(scratch, most);
            for (int i = 0; i < dear.length; i++) {
                if (dearCosts[i] > affordable) {
                    scratch[dear[i] >> 6] &= ~(1L << dear[i]);
                }
            }
            for (int i = 0; i < mask.length; i++) {
                mask[i] |= scratch[i];
            }
        }
    }

    /** Adds those of at most {@code most} characters, of a frame without counts. */
    void into(long[] mask, int most) {
        if (most >= Byte.MAX_VALUE) {
            into(mask);
            return;
        }
        long[] fitting = within.get(most);
        if (fitting == null) {
            fitting = new long[mask.length];
            into(fitting);
            for (int token = 0; token < counts.length; token++) {
                if (counts[token] > most) {
                    fitting[token >> 6] &= ~(1L << token);
                }
            }
            within.set(most, fitting);
        }
        for (int i = 0; i < mask.length; i++) {
            mask[i] |= fitting[i];
        }
    }

    static FrameTokens of(Frame frame, TokenTrie trie, Walk walk) {
        boolean counted = frame instanceof TextFrame text && text.isUniform();
        Maker maker = new Maker(trie, counted);
        walk.at(0).set(new Stack(frame, Stack.END));
        int peak = 0;
        for (int node = 1; node < trie.nodes(); ) {
            int depth = trie.depth(node);
            Threads after = walk.at(depth);
            walk.at(depth - 1).step(trie.label(node), after);
            if (after.isEmpty()) {
                node = trie.end(node);
                continue;
            }
            int count = counted ? maker.count(depth, trie.label(node), after) : 0;
            if (after.hasEnded()) {
                maker.exit(node, after.label(), count);
            }
            int token = trie.token(node);
            if (token >= 0) {
                int cost = after.cheapest();
                peak = Math.max(peak, cost);
                for (; token >= 0; token = trie.another(token)) {
                    if (counted && after.size() == 0) {
                        maker.closing.add(token, count);
                    } else {
                        maker.add(token, count, cost);
                    }
                }
            }
            node = after.size() == 0 ? trie.end(node) : node + 1;
        }
        return maker.made(peak);
    }

    /** Nodes or tokens with a count each. */
    private static final class Found {
        private int[] nodes = new int[4];
        private int[] counts = new int[4];
        private int size;

        void add(int node, int count) {
            if (size == nodes.length) {
                nodes = Arrays.copyOf(nodes, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            nodes[size] = node;
            counts[size++] = count;
        }
    }

    /** Collects what a walk finds. */
    private static final class Maker {
        private final long[] bits;
        private final byte[] counts;
        /** By depth, of a frame whose characters are counted: those that are begun. */
        private final int[] begun;

        private final TokenTrie trie;
        private final Map<Long, Found> exits = new TreeMap<>();
        private final Found closing = new Found();
        private final Found costs = new Found();
        private int tokens;

        Maker(TokenTrie trie, boolean counted) {
            this.trie = trie;
            bits = new long[trie.size() + 63 >> 6];
            counts = new byte[counted ? trie.size() : 0];
            begun = new int[counted ? trie.longest() + 1 : 0];
        }

        /** Characters that are begun at this depth; the first may be one that the frame is amid. */
        int count(int depth, int label, Threads after) {
            boolean amid = after.size() > 0 && after.get(0).frame() instanceof TextFrame text && text.isAmid();
            int before = begun[depth - 1];
            // Twice the characters that are whole, and one more amid one.
            int now = after.size() == 0 ? before : amid ? before | 1 : (before >> 1) + 1 << 1;
            begun[depth] = now;
            return now + 1 >> 1;
        }

        void exit(int node, int label, int count) {
            for (int child = node + 1; child < trie.end(node); child = trie.end(child)) {
                long key = (long) label << 8 | trie.label(child);
                exits.computeIfAbsent(key, each -> new Found()).add(child, count);
            }
        }

        void add(int token, int count, int cost) {
            costs.add(token, cost);
            bits[token >> 6] |= 1L << token;
            tokens++;
            if (counts.length > 0) {
                counts[token] = (byte) Math.min(count, Byte.MAX_VALUE);
            }
        }

        FrameTokens made(int peak) {
            boolean dense = tokens > 2 * bits.length || counts.length > 0;
            int[] few = new int[dense ? 0 : tokens];
            if (!dense) {
                int n = 0;
                for (int i = 0; i < bits.length; i++) {
                    for (long rest = bits[i]; rest != 0; rest &= rest - 1) {
                        few[n++] = (i << 6) + Long.numberOfTrailingZeros(rest);
                    }
                }
            }
            Exits[] found = exits.entrySet().stream()
                    .map(each -> new Exits(
                            (int) (each.getKey() >> 8),
                            (int) (each.getKey() & 0xFF),
                            Arrays.copyOf(each.getValue().nodes, each.getValue().size),
                            Arrays.copyOf(each.getValue().counts, each.getValue().size)))
                    .toArray(Exits[]::new);
            Found dear = new Found();
            int least = Cost.NEVER;
            for (int i = 0; i < costs.size; i++) {
                least = Math.min(least, costs.counts[i]);
            }
            for (int i = 0; i < costs.size; i++) {
                if (costs.counts[i] > least) {
                    dear.add(costs.nodes[i], costs.counts[i]);
                }
            }
            return new FrameTokens(dense ? bits : new long[0], few, found, closing, dear, least, peak, counts);
        }
    }
}
