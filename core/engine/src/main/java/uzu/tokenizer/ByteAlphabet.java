package uzu.tokenizer;

/**
 * GPT-2's spelling of bytes in a vocabulary file, one character a byte: printable Latin-1 characters stand for
 * themselves, the other 68 bytes follow from U+0100 on.
 */
final class ByteAlphabet {
    private static final char[] CHARACTERS = new char[256];
    private static final short[] BYTES = new short[0x144];

    static {
        java.util.Arrays.fill(BYTES, (short) -1);
        char next = 0x100;
        for (int b = 0; b < 256; b++) {
            boolean printable = b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE;
            CHARACTERS[b] = printable ? (char) b : next++;
            BYTES[CHARACTERS[b]] = (short) b;
        }
    }

    private ByteAlphabet() {}

    static char character(int unsignedByte) {
        return CHARACTERS[unsignedByte];
    }

    /** The byte that {@code character} stands for, -1 for a character outside the alphabet. */
    static int unsignedByte(int character) {
        return character < BYTES.length ? BYTES[character] : -1;
    }
}
