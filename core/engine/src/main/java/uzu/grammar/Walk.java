package uzu.grammar;

/** The threads at each depth of a walk down the trie: scratch, for one thread. */
final class Walk {
    private final Threads[] levels;
    private final Threads behind = new Threads();
    private final Threads next = new Threads();

    private final long[] mask;

    Walk(TokenTrie trie) {
        mask = new long[trie.size() + 63 >> 6];
        levels = new Threads[trie.longest() + 2];
    }

    Threads at(int depth) {
        Threads level = levels[depth];
        if (level == null) {
            level = new Threads();
            levels[depth] = level;
        }
        return level;
    }

    /** A mask to work with. */
    long[] mask() {
        return mask;
    }

    /** What holds where a part is over. */
    Threads behind() {
        return behind;
    }

    /** What holds a byte later. */
    Threads next() {
        return next;
    }
}
