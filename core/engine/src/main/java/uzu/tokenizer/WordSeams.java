package uzu.tokenizer;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a SentencePiece text may be cut without changing its ids: before a {@code ▁} whose preceding character stands
 * before a {@code ▁} in no piece. Words are then merged one by one, and their results can be kept.
 */
final class WordSeams {
    private static final char SPACE = '\u2581';

    /** The characters that stand before a space in some piece. */
    private final BitSet joined;

    private WordSeams(BitSet joined) {
        this.joined = joined;
    }

    static @Nullable WordSeams of(Vocabulary vocabulary) {
        if (vocabulary.find(Character.toString(SPACE)) < 0) {
            return null;
        }
        BitSet joined = new BitSet();
        joined.set(SPACE);
        for (int id = 0; id < vocabulary.size(); id++) {
            if (!vocabulary.hasInnerSpace(id)) {
                continue;
            }
            String piece = vocabulary.piece(id);
            for (int i = piece.indexOf(SPACE, 1); i > 0; i = piece.indexOf(SPACE, i + 1)) {
                joined.set(piece.charAt(i - 1));
            }
        }
        return new WordSeams(joined);
    }

    /** The end of the word that starts at {@code from}. */
    int next(String text, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (text.charAt(i) == SPACE && !joined.get(text.charAt(i - 1))) {
                return i;
            }
        }
        return to;
    }
}
