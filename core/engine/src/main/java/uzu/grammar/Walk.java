package uzu.grammar;

/** The threads at each depth of a walk down the trie: scratch, for one thread. */
final class Walk {
    private final Threads[] levels;
    private final Threads behind = new Threads();
    private final Threads next = new Threads();

    Walk(TokenTrie trie) {
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

    /** What holds where a part is over. */
    Threads behind() {
        return behind;
    }

    /** What holds a byte later. */
    Threads next() {
        return next;
    }
}
