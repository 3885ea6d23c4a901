package uzu.grammar;

import java.util.List;

/** Names, and every other text or none. */
final class NamesOrAny implements KeyLanguage {
    private final NameTrie trie;

    NamesOrAny(List<String> names) {
        trie = new NameTrie(names);
    }

    @Override
    public Chars of(ObjectSpec.KeyChoice choice) {
        return new NameChars(trie, choice.names(), choice.others().signum() != 0);
    }

    @Override
    public boolean has(int label) {
        return true;
    }

    @Override
    public int farthest() {
        return 2;
    }

    @Override
    public int distanceOfOther(int label) {
        return 2;
    }
}
