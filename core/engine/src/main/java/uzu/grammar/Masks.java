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
     * @param rise no token makes the rest longer by more tokens
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
        boolean plenty = left >= Cost.sum(stack.cost(), rise);
        boolean counted = frame instanceof TextFrame text && text.isUniform();
        Frame key = counted ? ((TextFrame) frame).uncounted() : frame.alike(trie.longest());
        FrameTokens tokens = of(key, walk);
        if (!plenty && peak(stack, key, tokens) > left) {
            addFitting(stack, left, walk, mask);
            return;
        }
        int min = counted ? ((TextFrame) frame).min() : 0;
        int max = counted ? ((TextFrame) frame).max() : Chars.UNBOUNDED;
        if (max == Chars.UNBOUNDED) {
            tokens.into(mask);
        } else {
            tokens.into(mask, max);
        }
        for (int i = 0; i < tokens.closing.length; i++) {
            if (tokens.closingCounts[i] >= min && tokens.closingCounts[i] <= max) {
                mask[tokens.closing[i] >> 6] |= 1L << tokens.closing[i];
            }
        }
        addBehind(tokens, stack.below(), plenty ? Cost.NEVER : left, min, max, walk, mask);
    }

    /** Most tokens that are needed after one of those that the frame allows by itself. */
    private static int peak(Stack stack, Frame key, FrameTokens tokens) {
        Stack below = stack.below();
        if (!below.isEnd() && below.frame() instanceof ObjectFrame object && object.awaitsKey()) {
            boolean name = stack.frame() instanceof TextFrame text && text.isName();
            return name ? object.costliestFromKey(below.below()) : Cost.NEVER;
        }
        int smaller = stack.cost() - stack.with(key).cost();
        return Cost.sum(Cost.sum(tokens.peak, smaller), below.cost());
    }

    /** Looks at every token, and what it would need. */
    private void addFitting(Stack stack, int left, Walk walk, long[] mask) {
        walk.at(0).set(stack);
        addBelow(0, left, walk, mask);
    }

    /** Tokens that go on behind the frame's end. */
    private void addBehind(FrameTokens tokens, Stack below, int left, int min, int max, Walk walk, long[] mask) {
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
            for (int i = 0; i < exits.nodes().length; i++) {
                if (exits.counts()[i] >= min && exits.counts()[i] <= max) {
                    int node = exits.nodes()[i];
                    walk.at(trie.depth(node)).set(next);
                    addTokens(node, next, left, mask);
                    addBelow(node, left, walk, mask);
                }
            }
        }
    }

    /** Adds the tokens below a node, at which the walk is. */
    private void addBelow(int from, int left, Walk walk, long[] mask) {
        int end = trie.end(from);
        for (int node = from + 1; node < end; ) {
            int depth = trie.depth(node);
            Threads after = walk.at(depth);
            walk.at(depth - 1).step(trie.label(node), after);
            if (after.isEmpty()) {
                node = trie.end(node);
                continue;
            }
            addTokens(node, after, left, mask);
            node++;
        }
    }

    private void addTokens(int node, Threads after, int left, long[] mask) {
        int token = trie.token(node);
        if (token >= 0 && (left >= Cost.NEVER || after.fitsWithin(left))) {
            for (; token >= 0; token = trie.another(token)) {
                mask[token >> 6] |= 1L << token;
            }
        }
    }
}
