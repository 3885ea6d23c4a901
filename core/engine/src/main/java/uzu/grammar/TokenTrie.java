package uzu.grammar;

import java.util.Arrays;
import uzu.tokenizer.Tokenizer;

/**
 * The bytes of a vocabulary's tokens as a trie, its nodes numbered depth first, so that what lies below node {@code n}
 * is the nodes up to {@link #end(int)}. Control tokens stand for no text and are left out.
 */
final class TokenTrie {
    private static final int KEY_BYTES = 5;
    private static final int ID_BITS = 24;

    private final int size;
    private final byte[] labels;
    private final int[] depths;
    private final int[] ends;
    private final int[] firstTokens;
    /** The next token of the same bytes, by token; −1 after the last. */
    private final int[] nextTokens;

    private final byte[][] tokens;
    private int nodes;
    private int longest;
    private boolean hasAllBytes;

    /** @param left out tokens, beside control tokens */
    TokenTrie(Tokenizer tokenizer, int[] left) {
        size = tokenizer.size();
        tokens = new byte[size][];
        int bytes = 0;
        int n = 0;
        long[] order = new long[size];
        for (int id = 0; id < size; id++) {
            byte[] spelled = tokenizer.isSpecial(id) ? new byte[0] : tokenizer.bytes(id);
            tokens[id] = spelled;
            if (spelled.length > 0 && !contains(left, id)) {
                order[n++] = key(spelled) << ID_BITS | id;
                bytes += spelled.length;
                longest = Math.max(longest, spelled.length);
            }
        }
        Arrays.sort(order, 0, n);
        sortLong(order, n);
        int[] at = new int[longest + 1];
        labels = new byte[bytes + 1];
        depths = new int[bytes + 1];
        ends = new int[bytes + 1];
        firstTokens = new int[bytes + 1];
        nextTokens = new int[size];
        Arrays.fill(firstTokens, -1);
        Arrays.fill(nextTokens, -1);
        nodes = 1;
        int depth = 0;
        byte[] last = new byte[0];
        for (int i = 0; i < n; i++) {
            int id = id(order[i]);
            byte[] spelled = tokens[id];
            int common = common(last, spelled);
            for (; depth > common; depth--) {
                ends[at[depth]] = nodes;
            }
            for (; depth < spelled.length; depth++) {
                labels[nodes] = spelled[depth];
                depths[nodes] = depth + 1;
                at[depth + 1] = nodes++;
            }
            nextTokens[id] = firstTokens[at[depth]];
            firstTokens[at[depth]] = id;
            last = spelled;
        }
        for (; depth >= 0; depth--) {
            ends[at[depth]] = nodes;
        }
        int single = 0;
        for (int node = 1; node < nodes; node = ends[node]) {
            single += firstTokens[node] >= 0 ? 1 : 0;
        }
        // C0, C1 and F5 to FF are in no text.
        hasAllBytes = single >= 256 - 13;
    }

    private static boolean contains(int[] ids, int id) {
        for (int each : ids) {
            if (each == id) {
                return true;
            }
        }
        return false;
    }

    private static int id(long entry) {
        return (int) entry & (1 << ID_BITS) - 1;
    }

    private static long key(byte[] bytes) {
        long key = 0;
        for (int i = 0; i < KEY_BYTES; i++) {
            key = key << 8 | (i < bytes.length ? bytes[i] & 0xFF : 0);
        }
        return key;
    }

    /** Sorts those whose first bytes are the same. */
    private void sortLong(long[] order, int n) {
        for (int from = 0; from < n; ) {
            long key = order[from] >>> ID_BITS;
            int to = from + 1;
            while (to < n && order[to] >>> ID_BITS == key) {
                to++;
            }
            if (to - from > 1) {
                Integer[] ids = new Integer[to - from];
                for (int i = from; i < to; i++) {
                    ids[i - from] = id(order[i]);
                }
                Arrays.sort(ids, (a, b) -> Arrays.compareUnsigned(tokens[a], tokens[b]));
                for (int i = from; i < to; i++) {
                    order[i] = key << ID_BITS | ids[i - from];
                }
            }
            from = to;
        }
    }

    private static int common(byte[] one, byte[] other) {
        int mismatch = Arrays.mismatch(one, other);
        return mismatch < 0 ? one.length : mismatch;
    }

    /** Number of token ids, control tokens included. */
    int size() {
        return size;
    }

    /** Nodes are numbered below this; 0 is the root. */
    int nodes() {
        return nodes;
    }

    /** Bytes of the longest token. */
    int longest() {
        return longest;
    }

    /** Whether every byte that may be in a text is a token by itself. */
    boolean hasAllBytes() {
        return hasAllBytes;
    }

    int label(int node) {
        return labels[node] & 0xFF;
    }

    int depth(int node) {
        return depths[node];
    }

    /** The node after the last below {@code node}. */
    int end(int node) {
        return ends[node];
    }

    /** A token that ends at {@code node}, −1 for none. */
    int token(int node) {
        return firstTokens[node];
    }

    /** Another token of the same bytes, −1 for none. */
    int another(int token) {
        return nextTokens[token];
    }

    /** The token's bytes; none for a control token. Not to be changed. */
    byte[] bytes(int token) {
        return tokens[token];
    }

    /** The child of {@code node} under {@code label}, −1 for none. */
    int child(int node, int label) {
        for (int child = node + 1; child < ends[node]; child = ends[child]) {
            int there = labels[child] & 0xFF;
            if (there == label) {
                return child;
            }
            if (there > label) {
                return -1;
            }
        }
        return -1;
    }

    /** The labels that lead to {@code node}. */
    int[] path(int node) {
        int[] path = new int[depths[node]];
        int at = 0;
        for (int i = 0; i < path.length; i++) {
            int child = at + 1;
            while (ends[child] <= node) {
                child = ends[child];
            }
            at = child;
            path[i] = labels[at] & 0xFF;
        }
        return path;
    }

    /** How many tokens spell {@code bytes} from {@code from} on when each is the longest that fits. */
    int count(byte[] bytes, int from) {
        int count = 0;
        while (from < bytes.length) {
            int longestHere = 1;
            int node = 0;
            for (int i = from; i < bytes.length; i++) {
                node = child(node, bytes[i] & 0xFF);
                if (node < 0) {
                    break;
                }
                if (firstTokens[node] >= 0) {
                    longestHere = i + 1 - from;
                }
            }
            from += longestHere;
            count++;
        }
        return count;
    }
}
