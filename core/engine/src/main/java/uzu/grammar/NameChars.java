package uzu.grammar;

import java.math.BigInteger;

/**
 * Some of the names of a trie, and maybe every other text. A state is a node; the one behind the last is that of texts
 * that are no beginning of a name. A label is the name's
 * index and 1, or 0.
 */
final class NameChars implements Chars {
    private final NameTrie names;
    private final BigInteger allowed;
    private final boolean others;
    private final int free;

    NameChars(NameTrie names, BigInteger allowed, boolean others) {
        this.names = names;
        this.allowed = allowed;
        this.others = others;
        free = names.size();
    }

    NameTrie trie() {
        return names;
    }

    boolean hasOthers() {
        return others;
    }

    /** Whether it has left every name. */
    boolean isFree(int state) {
        return state == free;
    }

    @Override
    public Chars onward(int state) {
        return state == free ? UniformChars.ANY : this;
    }

    boolean allows(int name) {
        return allowed.testBit(name);
    }

    /** The names that it may become. */
    BigInteger under(int state) {
        return state == free ? BigInteger.ZERO : names.under(state).and(allowed);
    }

    @Override
    public int start() {
        return others || allowed.signum() != 0 ? 0 : -1;
    }

    @Override
    public int next(int state, int codePoint) {
        int child = state == free ? -1 : names.child(state, codePoint);
        if (child >= 0 && (others || names.under(child).and(allowed).signum() != 0)) {
            return child;
        }
        return others ? free : -1;
    }

    @Override
    public boolean accepts(int state) {
        int name = state == free ? -1 : names.name(state);
        return name < 0 ? others : allowed.testBit(name);
    }

    @Override
    public int label(int state) {
        int name = state == free ? -1 : names.name(state);
        return name + 1;
    }

    @Override
    public int distance(int state, int min, int max, Writing writing) {
        if (accepts(state)) {
            return 0;
        }
        int least = Cost.NEVER;
        if (others) {
            // One character more may end at a name that isn't allowed, but not all of them do.
            return 2;
        }
        for (int label : names.labels(state)) {
            int child = next(state, label);
            if (child >= 0) {
                least = Math.min(least, Cost.sum(writing.bytes(label, label), distance(child, min, max, writing)));
            }
        }
        return least;
    }

    @Override
    public int farthest() {
        int deepest = 2;
        for (int node = 0; node < names.size(); node++) {
            deepest = Math.max(deepest, names.depth(node));
        }
        return Cost.times(6, deepest);
    }

    @Override
    public int distanceAfter(int state, int first, int last, int min, int max, Writing writing) {
        if (others) {
            return 2;
        }
        int least = Cost.NEVER;
        for (int label : names.labels(state)) {
            if (label >= first && label <= last) {
                int child = next(state, label);
                least = child < 0 ? least : Math.min(least, distance(child, min, max, writing));
            }
        }
        return least;
    }
}
