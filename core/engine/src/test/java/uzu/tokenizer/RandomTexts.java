package uzu.tokenizer;

import java.util.SplittableRandom;

/** Texts that mix scripts, spaces, marks, digits, contractions and emoji. */
final class RandomTexts {
    private static final String[] WORDS = {
        "'s",
        "'LL",
        "the",
        " of",
        "ing",
        "\u2581",
        "\uFF11",
        "\u200D",
        "\r\n",
        "  ",
        "<|im_end|>",
        "<s>",
        "n't",
        "1234",
        "é"
    };
    // Blocks whose characters were all assigned before Unicode 9: newer data differs between libraries.
    private static final int[][] BLOCKS = {
        {0x20, 0x7F},
        {0x20, 0x7F},
        {0xA0, 0x250},
        {0x300, 0x34F},
        {0x391, 0x3A2},
        {0x410, 0x450},
        {0x5D0, 0x5EB},
        {0x621, 0x64B},
        {0x905, 0x93A},
        {0xE01, 0xE2F},
        {0x2010, 0x2028},
        {0x2190, 0x21FF},
        {0x3041, 0x3097},
        {0x4E00, 0x9FA6},
        {0xAC00, 0xD7A4},
        {0xFF01, 0xFF5F},
        {0x1D400, 0x1D455},
        {0x1F300, 0x1F321},
        {0x1F600, 0x1F642}
    };

    private final SplittableRandom random;

    RandomTexts(long seed) {
        random = new SplittableRandom(seed);
    }

    String next(int mostParts) {
        StringBuilder text = new StringBuilder();
        int[][] blocks = {block(), block(), block()};
        for (int parts = random.nextInt(mostParts + 1); parts > 0; parts--) {
            switch (random.nextInt(5)) {
                case 0 -> text.append(WORDS[random.nextInt(WORDS.length)]);
                case 1 -> text.append(" \n\t ".charAt(random.nextInt(4)));
                default -> {
                    int[] block = blocks[random.nextInt(3)];
                    text.appendCodePoint(random.nextInt(block[0], block[1]));
                }
            }
        }
        return text.toString();
    }

    private int[] block() {
        return BLOCKS[random.nextInt(BLOCKS.length)];
    }
}
