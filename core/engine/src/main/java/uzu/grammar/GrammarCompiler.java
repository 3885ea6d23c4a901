package uzu.grammar;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import uzu.UzuException;
import uzu.tokenizer.Tokenizer;

/**
 * Makes grammars ready for one vocabulary, and remembers them. What depends on the vocabulary is made when the first is
 * asked for. For several threads.
 */
public final class GrammarCompiler {
    private static final int MOST_REMEMBERED = 64;

    private final Tokenizer tokenizer;
    private final int[] ends;
    private final SchemaPatterns patterns = new SchemaPatterns();
    private volatile @Nullable Masks masks;

    private record Key(Syntax syntax, boolean lenient) {}

    private final Map<Key, CompiledGrammar> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CompiledGrammar> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** @param ends the tokens that end a reply */
    public GrammarCompiler(Tokenizer tokenizer, int[] ends) {
        this.tokenizer = tokenizer;
        this.ends = ends.clone();
    }

    /**
     * The grammar of {@code syntax}.
     *
     * @param lenient whether what can't be enforced is left out and listed
     * @throws UzuException.GrammarUnsupported naming the keyword that can't be enforced, or what the syntax has wrong
     */
    public CompiledGrammar compile(Syntax syntax, boolean lenient) {
        Key key = new Key(syntax, lenient);
        synchronized (remembered) {
            CompiledGrammar known = remembered.get(key);
            if (known != null) {
                return known;
            }
        }
        Masks made = masks();
        CompiledGrammar compiled =
                new SyntaxCompiler(tokenizer, made.trie(), patterns, lenient).compile(syntax, made, ends);
        synchronized (remembered) {
            remembered.put(key, compiled);
        }
        return compiled;
    }

    private Masks masks() {
        Masks made = masks;
        if (made == null) {
            synchronized (this) {
                made = masks;
                if (made == null) {
                    made = new Masks(new TokenTrie(tokenizer, ends));
                    masks = made;
                }
            }
        }
        return made;
    }
}
