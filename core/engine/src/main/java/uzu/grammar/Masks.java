package uzu.grammar;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What frames say of one vocabulary's tokens, remembered. For several threads. */
final class Masks {
    /** All is forgotten when it takes more. */
    private static final long MOST_BYTES = 64L << 20;

    private final TokenTrie trie;
    private final Map<Frame, FrameTokens> known = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    Masks(TokenTrie trie) {
        this.trie = trie;
    }

    TokenTrie trie() {
        return trie;
    }

    private FrameTokens of(Frame frame, Walk walk) {
        FrameTokens tokens = known.get(frame);
        if (tokens == null) {
            tokens = FrameTokens.of(frame, trie, walk);
            if (bytes.addAndGet(tokens.size()) > MOST_BYTES) {
                known.clear();
                bytes.set(tokens.size());
            }
            known.put(frame, tokens);
        }
        return tokens;
    }

    /**
     * Adds to {@code mask} the tokens that may come next.
     *
     * @param left tokens that may still come after the next, the end token not counted
     * @param rise no byte makes the rest longer by more tokens
     */
    void add(Stack stack, int left, int rise, Walk walk, long[] mask) {
        Frame frame = stack.frame();
        if (frame.control() >= 0) {
            int token = frame.control();
            if (stack.below().cost() <= left) {
                mask[token >> 6] |= 1L << token;
            }
            return;
        }
        boolean plenty = left >= Cost.sum(stack.cost(), Cost.times(rise, trie.longest()));
        boolean counted = frame instanceof TextFrame text && text.isUniform();
        Frame key = counted ? ((TextFrame) frame).uncounted() : frame.alike(trie.longest());
        FrameTokens tokens = of(key, walk);
        Stack below = stack.below();
        int affordable = Cost.NEVER;
        if (!plenty) {
            int smaller = stack.cost() - stack.with(key).cost();
            boolean inKey = isKey(stack);
            if (inKey ? costliest(stack) > left : smaller > 0 && peak(tokens, smaller, below) > left) {
                addFitting(stack, left, walk, mask);
                return;
            }
            affordable = inKey ? Cost.NEVER : left - below.cost() - smaller;
        }
        int min = counted ? ((TextFrame) frame).min() : 0;
        int max = counted ? ((TextFrame) frame).max() : Chars.UNBOUNDED;
        tokens.into(mask, max, affordable, walk.mask());
        if (affordable >= 0) {
            for (int i = 0; i < tokens.closing.length; i++) {
                if (tokens.closingCounts[i] >= min && tokens.closingCounts[i] <= max) {
                    mask[tokens.closing[i] >> 6] |= 1L << tokens.closing[i];
                }
            }
        }
        addBehind(tokens, below, plenty ? Cost.NEVER : left, rise, min, max, walk, mask);
    }

    private static boolean isKey(Stack stack) {
        Stack below = stack.below();
        return !below.isEnd() && below.frame() instanceof ObjectFrame object && object.awaitsKey();
    }

    /** Most tokens that are needed anywhere in a key. */
    private static int costliest(Stack key) {
        boolean name = key.frame() instanceof TextFrame text && text.isName();
        return name ? ((ObjectFrame) key.below().frame()).costliestFromKey(key.below().below()) : Cost.NEVER;
    }

    /** Most tokens that are needed after one of those that the frame allows by itself. */
    private static int peak(FrameTokens tokens, int smaller, Stack below) {
        return Cost.sum(Cost.sum(tokens.peak, smaller), below.cost());
    }

    /** Looks at every token, and what it would need. */
    private void addFitting(Stack stack, int left, Walk walk, long[] mask) {
        walk.at(0).set(stack);
        addBelow(0, left, Cost.NEVER, 0, walk, mask);
    }

    /** Tokens that go on behind the frame's end. */
    private void addBehind(
            FrameTokens tokens, Stack below, int left, int rise, int min, int max, Walk walk, long[] mask) {
        int label = -1;
        Threads behind = walk.behind();
        Threads next = walk.next();
        for (FrameTokens.Exits exits : tokens.exits) {
            if (exits.label() != label) {
                label = exits.label();
                behind.clear();
                behind.end(label, below);
            }
            behind.step(exits.next(), next);
            if (next.isEmpty()) {
                continue;
            }
            int cost = left >= Cost.NEVER ? 0 : next.cheapest();
            for (int i = 0; i < exits.nodes().length; i++) {
                if (exits.counts()[i] >= min && exits.counts()[i] <= max) {
                    int node = exits.nodes()[i];
                    walk.at(trie.depth(node)).set(next);
                    if (left >= cost) {
                        addTokens(node, mask);
                    }
                    addBelow(node, left, cost, rise, walk, mask);
                }
            }
        }
    }

    /**
     * Adds the tokens below a node, at which the walk is.
     *
     * @param cost what is needed there
     */
    private void addBelow(int from, int left, int cost, int rise, Walk walk, long[] mask) {
        int end = trie.end(from);
        for (int node = from + 1; node < end; ) {
            int depth = trie.depth(node);
            Threads after = walk.at(depth);
            walk.at(depth - 1).step(trie.label(node), after);
            if (after.isEmpty()) {
                node = trie.end(node);
                continue;
            }
            if (trie.token(node) >= 0
                    && (left >= Cost.sum(cost, Cost.times(rise, depth - trie.depth(from)))
                            || after.fitsWithin(left))) {
                addTokens(node, mask);
            }
            node++;
        }
    }

    private void addTokens(int node, long[] mask) {
        for (int token = trie.token(node); token >= 0; token = trie.another(token)) {
            mask[token >> 6] |= 1L << token;
        }
    }
}
