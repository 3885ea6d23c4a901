package uzu.chat.parse;

import java.util.SplittableRandom;

/** Identifiers of calls whose format has none: the same ones however often the reply to a prompt is parsed. */
final class Identifiers {
    private static final String LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private final String prefix;
    private final int letters;
    private final long seed;

    /**
     * @param letters random letters and digits behind {@code prefix}
     * @param prompt what tells this reply from others
     */
    Identifiers(String prefix, int letters, CharSequence prompt) {
        this.prefix = prefix;
        this.letters = letters;
        this.seed = hash(prompt);
    }

    String of(int index) {
        SplittableRandom random = new SplittableRandom(seed * 0xD1342543DE82EF95L + index * 0xAF251AF3B0F025B5L);
        StringBuilder identifier = new StringBuilder(prefix);
        for (int i = 0; i < letters; i++) {
            identifier.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return identifier.toString();
    }

    /** FNV-1a over the characters. */
    private static long hash(CharSequence text) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return hash;
    }
}
