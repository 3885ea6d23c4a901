package uzu.tokenizer;

/**
 * Tells vocabularies apart: a hash (64-bit FNV-1a) of the bytes of every 32nd of the first 40,000 tokens. Added tokens
 * and padding behind them don't count, in which files of the same model differ.
 */
public final class VocabularyFingerprint {
    private static final int STEP = 32;
    private static final int MOST = 40_000;
    private static final long PRIME = 0x100000001B3L;

    private VocabularyFingerprint() {}

    public static long of(Tokenizer tokenizer) {
        long hash = 0xCBF29CE484222325L;
        int end = Math.min(MOST, tokenizer.size());
        for (int id = 0; id < end; id += STEP) {
            for (byte b : tokenizer.bytes(id)) {
                hash = (hash ^ (b & 0xFF)) * PRIME;
            }
            hash = (hash ^ 0x100) * PRIME;
        }
        return hash;
    }
}
