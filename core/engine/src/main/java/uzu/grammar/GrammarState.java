package uzu.grammar;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.backend.Logits;
import uzu.speculate.Constraint;

/**
 * Where a reply is in its grammar. Every state can be ended with the tokens left: ways that can't are left out, so masks
 * lead to the shortest end when tokens get scarce.
 */
final class GrammarState implements Constraint {
    private final CompiledGrammar grammar;
    private final Stack[] stacks;
    private final boolean mayEnd;
    /** Tokens that may still come, the end token included. */
    private final int left;

    private final Scratch scratch;

    /** The token that was asked for last, and what holds after it. */
    private int asked = -1;

    private @Nullable GrammarState afterAsked;

    /** What the states of a reply share, for one thread. */
    static final class Scratch {
        private final Walk walk;
        private final long[] mask;

        Scratch(TokenTrie trie) {
            walk = new Walk(trie);
            mask = new long[trie.size() + 63 >> 6];
        }

        Walk walk() {
            return walk;
        }
    }

    GrammarState(CompiledGrammar grammar, Stack[] stacks, boolean mayEnd, int left, Scratch scratch) {
        this.grammar = grammar;
        this.stacks = stacks;
        this.mayEnd = mayEnd;
        this.left = left;
        this.scratch = scratch;
    }

    @Override
    public boolean accepts(int token) {
        return grammar.isEnd(token) ? mayEnd : find(token) != null;
    }

    @Override
    public Constraint after(int token) {
        GrammarState found = find(token);
        if (found == null) {
            throw new IllegalArgumentException("token " + token + " may not come here");
        }
        return found;
    }

    private @Nullable GrammarState find(int token) {
        if (token != asked) {
            afterAsked = walk(token);
            asked = token;
        }
        return afterAsked;
    }

    private @Nullable GrammarState walk(int token) {
        TokenTrie trie = grammar.trie();
        if (token < 0 || token >= trie.size() || grammar.isEnd(token)) {
            return null;
        }
        Threads now = scratch.walk.at(0);
        Threads next = scratch.walk.at(1);
        now.set(stacks, mayEnd);
        byte[] bytes = trie.bytes(token);
        if (bytes.length == 0) {
            now.stepControl(token, next);
            Threads swap = now;
            now = next;
            next = swap;
        }
        for (byte b : bytes) {
            now.step(b & 0xFF, next);
            Threads swap = now;
            now = next;
            next = swap;
            if (now.isEmpty()) {
                return null;
            }
        }
        now.keepWithin(left - 2);
        return now.isEmpty()
                ? null
                : new GrammarState(grammar, now.copy(), now.hasEnded(), Math.max(0, left - 1), scratch);
    }

    /** Follows the only bytes that may come down the trie. */
    @Override
    public int likely() {
        if (mayEnd) {
            return -1;
        }
        TokenTrie trie = grammar.trie();
        Walk walk = scratch.walk;
        walk.at(0).set(stacks, false);
        int found = -1;
        int node = 0;
        for (int depth = 1; node >= 0; depth++) {
            int only = -1;
            for (int child = node + 1; child < trie.end(node); child = trie.end(child)) {
                walk.at(depth - 1).step(trie.label(child), walk.at(depth));
                if (!walk.at(depth).isEmpty()) {
                    if (only >= 0) {
                        return checked(found);
                    }
                    only = child;
                }
            }
            if (only >= 0) {
                walk.at(depth - 1).step(trie.label(only), walk.at(depth));
                found = trie.token(only) >= 0 ? trie.token(only) : found;
            }
            node = walk.at(depth).hasEnded() ? -1 : only;
        }
        return checked(found);
    }

    @Override
    public long place() {
        if (mayEnd || stacks.length > 2) {
            return -1;
        }
        long place = 0;
        for (Stack stack : stacks) {
            long own = stack.frame().place();
            if (own < 0) {
                return -1;
            }
            place = place * 0x9E3779B97F4A7C15L + own * 64 + stack.depth();
        }
        return place & Long.MAX_VALUE;
    }

    private int checked(int token) {
        return token >= 0 && accepts(token) ? token : -1;
    }

    @Override
    public void mask(Logits logits, int count) {
        long[] mask = scratch.mask;
        Arrays.fill(mask, 0);
        for (Stack stack : stacks) {
            grammar.masks().add(stack, left - 2, grammar.rise(), scratch.walk, mask);
        }
        if (mayEnd) {
            for (int end : grammar.ends()) {
                if (end < grammar.trie().size()) {
                    mask[end >> 6] |= 1L << end;
                }
            }
        }
        for (long word : mask) {
            if (word != 0) {
                logits.restrict(mask, count);
                return;
            }
        }
        throw new UzuException.GrammarDeadEnd("no token of this model goes on with what the grammar demands here");
    }
}
