package uzu.tokenizer;

/**
 * SentencePiece's merges: two neighbours merge when their joined text is a piece, the piece with the highest score
 * first.
 */
final class ScoredMerges implements Merges {
    private final Vocabulary vocabulary;
    private final int[] priorities;

    /** @param scores by id, none of them NaN */
    ScoredMerges(Vocabulary vocabulary, float[] scores) {
        this.vocabulary = vocabulary;
        priorities = new int[scores.length];
        for (int id = 0; id < scores.length; id++) {
            // IEEE bits to an int that orders alike, then reversed. Adding zero makes -0 and +0 one.
            int bits = Float.floatToIntBits(scores[id] + 0f);
            priorities[id] = ~(bits ^ bits >> 31 & Integer.MAX_VALUE);
        }
    }

    @Override
    public long find(Symbols symbols, int left, int right) {
        int id = vocabulary.findText(symbols.text(), symbols.start(left), symbols.end(right));
        return id < 0 ? NONE : (long) priorities[id] << 32 | id;
    }
}
