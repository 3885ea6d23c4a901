package uzu.grammar;

import java.util.List;
import java.util.Map;
import uzu.UzuException;
import uzu.speculate.Constraint;

/** A grammar made ready for one vocabulary. Immutable; for several threads and any number of replies. */
public final class CompiledGrammar {
    private final Part root;
    private final Masks masks;
    private final int[] ends;
    private final int rise;
    private final List<String> unenforced;

    CompiledGrammar(Part root, Masks masks, int[] ends, int rise, List<String> unenforced) {
        this.root = root;
        this.masks = masks;
        this.ends = ends;
        this.rise = rise;
        this.unenforced = List.copyOf(unenforced);
    }

    /**
     * What a reply's first token may be. The states that follow from it are for one thread.
     *
     * @param tokensLeft most tokens of the reply, the end token included
     * @throws UzuException.GrammarDeadEnd when these don't suffice
     */
    public Constraint start(int tokensLeft) {
        GrammarState.Scratch scratch = new GrammarState.Scratch(masks.trie());
        Threads threads = scratch.walk().at(0);
        threads.clear();
        root.enter(Stack.END, threads);
        threads.keepWithin(tokensLeft - 1);
        if (threads.isEmpty()) {
            throw new UzuException.GrammarDeadEnd(
                    root.cost() >= Cost.NEVER
                            ? "no text is what the grammar demands"
                            : "the grammar's shortest text takes up to " + (root.cost() + 1) + " tokens, of which "
                                    + tokensLeft + " are left",
                    Map.of("tokens", Integer.toString(root.cost() + 1), "left", Integer.toString(tokensLeft)));
        }
        return new GrammarState(this, threads.copy(), threads.hasEnded(), tokensLeft, scratch);
    }

    /** Keywords that aren't enforced, each with the place where it stands; only for a lenient grammar. */
    public List<String> unenforced() {
        return unenforced;
    }

    Part root() {
        return root;
    }

    Masks masks() {
        return masks;
    }

    TokenTrie trie() {
        return masks.trie();
    }

    int[] ends() {
        return ends;
    }

    boolean isEnd(int token) {
        for (int end : ends) {
            if (end == token) {
                return true;
            }
        }
        return false;
    }

    /** No byte makes the rest of a text longer by more tokens. */
    int rise() {
        return rise;
    }
}
