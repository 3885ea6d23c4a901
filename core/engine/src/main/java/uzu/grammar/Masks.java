package uzu.grammar;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What frames say of one vocabulary's tokens, remembered. For several threads. */
final class Masks {
    /** All is forgotten when it takes more. */
    private static final long MOST_BYTES = 64L << 20;

    private static final int[] NONE = {};
    private static final TextFrame ANY_TEXT =
            Objects.requireNonNull(TextFrame.of(UniformChars.ANY, Chars.Writing.JSON, 0, Chars.UNBOUNDED));

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
        NameChars names = frame instanceof TextFrame text ? text.openNames() : null;
        if (names != null && names.trie().isPlain() && isKey(stack)) {
            if (plenty || costliest(stack) <= left) {
                addOpenKey(stack, names, plenty ? Cost.NEVER : left, rise, walk, mask);
            } else {
                addFitting(stack, left, walk, mask);
            }
            return;
        }
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
        addBehind(tokens, below, plenty ? Cost.NEVER : left, rise, min, max, NONE, walk, mask);
    }

    /**
     * Of a key that may be any text, but for names that need another look: what tokens a text may have, without those
     * that end a name, and what these may have.
     */
    private void addOpenKey(Stack stack, NameChars names, int left, int rise, Walk walk, long[] mask) {
        FrameTokens tokens = of(ANY_TEXT, walk);
        int state = ((TextFrame) stack.frame()).state();
        List<byte[]> rests = names.trie().rests(state);
        int[] special = new int[rests.size()];
        int specials = 0;
        for (byte[] rest : rests) {
            int node = node(rest);
            if (node >= 0) {
                special[specials++] = node;
            }
        }
        long[] own = new long[mask.length];
        tokens.into(own, Chars.UNBOUNDED);
        for (int token : tokens.closing) {
            own[token >> 6] |= 1L << token;
        }
        for (int i = 0; i < specials; i++) {
            for (int token = trie.token(special[i]); token >= 0; token = trie.another(token)) {
                own[token >> 6] &= ~(1L << token);
            }
        }
        for (int i = 0; i < mask.length; i++) {
            mask[i] |= own[i];
        }
        addBehind(tokens, stack.below(), left, rise, 0, Chars.UNBOUNDED, Arrays.copyOf(special, specials), walk, mask);
        for (int i = 0; i < specials; i++) {
            Threads at = walk.at(0);
            at.set(stack);
            int depth = trie.depth(special[i]);
            int[] path = trie.path(special[i]);
            for (int d = 1; d <= depth; d++) {
                walk.at(d - 1).step(path[d - 1], walk.at(d));
            }
            if (!walk.at(depth).isEmpty()) {
                addTokens(special[i], mask);
                addBelow(special[i], left, 0, Cost.NEVER, walk, mask);
            }
        }
    }

    /** Where {@code bytes} lead, −1 for nowhere. */
    private int node(byte[] bytes) {
        int node = 0;
        for (byte b : bytes) {
            node = trie.child(node, b & 0xFF);
            if (node < 0) {
                return -1;
            }
        }
        return node;
    }

    private static boolean isKey(Stack stack) {
        Stack below = stack.below();
        return !below.isEnd() && below.frame() instanceof ObjectFrame object && object.awaitsKey();
    }

    /** Most tokens that are needed anywhere in a key. */
    private static int costliest(Stack key) {
        TextFrame text = (TextFrame) key.frame();
        return text.isName() || text.isUniform()
                ? ((ObjectFrame) key.below().frame())
                        .costliestFromKey(text.isName(), key.below().below())
                : Cost.NEVER;
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

    /**
     * Tokens that go on behind the frame's end.
     *
     * @param without what is below these nodes isn't looked at
     */
    private void addBehind(
            FrameTokens tokens,
            Stack below,
            int left,
            int rise,
            int min,
            int max,
            int[] without,
            Walk walk,
            long[] mask) {
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
                int node = exits.nodes()[i];
                if (exits.counts()[i] >= min && exits.counts()[i] <= max && !isBelow(node, without)) {
                    walk.at(trie.depth(node)).set(next);
                    if (left >= cost) {
                        addTokens(node, mask);
                    }
                    addBelow(node, left, cost, rise, walk, mask);
                }
            }
        }
    }

    private boolean isBelow(int node, int[] others) {
        for (int other : others) {
            if (node > other && node < trie.end(other)) {
                return true;
            }
        }
        return false;
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
                    && (left >= Cost.sum(cost, Cost.times(rise, depth - trie.depth(from))) || after.fitsWithin(left))) {
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
