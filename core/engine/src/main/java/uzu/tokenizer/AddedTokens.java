package uzu.tokenizer;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens that are taken out of a text before it is cut into pieces: the longest at the leftmost place, by a trie. */
final class AddedTokens {
    /**
     * An added token, with the flags of tokenizer.json.
     *
     * @param special matched only where special tokens are wanted
     * @param singleWord matched only where no word character touches it
     * @param stripBefore whether white space before it goes with it
     * @param stripAfter whether white space behind it goes with it
     */
    record Token(int id, String content, boolean special, boolean singleWord, boolean stripBefore, boolean stripAfter) {
        static Token plain(int id, String content, boolean special) {
            return new Token(id, content, special, false, false, false);
        }
    }

    /** Receives the parts of a text in order. */
    interface Parts {
        void text(String part);

        void token(int id);
    }

    private final Token[] tokens;
    private final BitSet firsts = new BitSet();
    /** Edges of the trie by open addressing: {@code (node << 16 | character) + 1}, and the node it leads to. */
    private final long[] edges;

    private final int[] targets;
    /** The token that ends at a node, as index + 1. */
    private int[] ends = new int[64];

    private int nodes = 1;

    AddedTokens(List<Token> tokens) {
        this.tokens = tokens.toArray(Token[]::new);
        int characters = tokens.stream().mapToInt(t -> t.content().length()).sum();
        int capacity = Integer.highestOneBit(Math.max(characters, 8)) * 4;
        edges = new long[capacity];
        targets = new int[capacity];
        for (int i = 0; i < this.tokens.length; i++) {
            enter(this.tokens[i].content(), i + 1);
        }
    }

    private void enter(String content, int end) {
        if (content.isEmpty()) {
            return;
        }
        firsts.set(content.charAt(0));
        int node = 0;
        for (int i = 0; i < content.length(); i++) {
            int slot = slot(node, content.charAt(i));
            if (edges[slot] == 0) {
                edges[slot] = edge(node, content.charAt(i));
                targets[slot] = nodes++;
            }
            node = targets[slot];
        }
        if (node >= ends.length) {
            ends = Arrays.copyOf(ends, Math.max(node + 1, ends.length * 2));
        }
        ends[node] = end;
    }

    private static long edge(int node, char character) {
        return ((long) node << 16 | character) + 1;
    }

    private int slot(int node, char character) {
        long edge = edge(node, character);
        int slot = (int) (edge * 0x9E3779B97F4A7C15L >>> 34) & edges.length - 1;
        while (edges[slot] != 0 && edges[slot] != edge) {
            slot = slot + 1 & edges.length - 1;
        }
        return slot;
    }

    void split(String text, boolean special, Parts parts) {
        int from = 0;
        for (int at = 0; at < text.length(); ) {
            Token token = firsts.get(text.charAt(at)) ? longest(text, at, special) : null;
            if (token == null) {
                at++;
                continue;
            }
            int start = at;
            int end = at + token.content.length();
            while (token.stripBefore && start > from && Characters.isSpace(text.charAt(start - 1))) {
                start--;
            }
            while (token.stripAfter && end < text.length() && Characters.isSpace(text.charAt(end))) {
                end++;
            }
            if (start > from) {
                parts.text(text.substring(from, start));
            }
            parts.token(token.id);
            from = end;
            at = end;
        }
        if (from < text.length()) {
            parts.text(text.substring(from));
        }
    }

    private @Nullable Token longest(String text, int from, boolean special) {
        Token found = null;
        int node = 0;
        for (int i = from; i < text.length(); i++) {
            int slot = slot(node, text.charAt(i));
            if (edges[slot] == 0) {
                break;
            }
            node = targets[slot];
            int end = node < ends.length ? ends[node] : 0;
            if (end != 0 && matches(tokens[end - 1], text, from, i + 1, special)) {
                found = tokens[end - 1];
            }
        }
        return found;
    }

    private static boolean matches(Token token, String text, int from, int to, boolean special) {
        if (token.special && !special) {
            return false;
        }
        return !token.singleWord
                || (from == 0 || !Characters.isWord(text.codePointBefore(from)))
                        && (to == text.length() || !Characters.isWord(text.codePointAt(to)));
    }
}
