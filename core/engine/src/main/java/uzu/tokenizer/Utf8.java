package uzu.tokenizer;

/**
 * UTF-8 both ways, in pieces and without exceptions. Decoding is streaming: an unfinished character waits for its
 * rest.
 */
final class Utf8 {
    private static final char REPLACEMENT = '\uFFFD';

    /** The character begun: bits so far, bytes still missing, and the range its next byte must lie in. */
    private int bits;

    private int missing;
    private int least;
    private int most;

    /**
     * Writes {@code text[from, to)}, which has no lone surrogates, to {@code out[at …]}; 3 bytes a char are enough.
     * Returns where it ends.
     */
    static int encode(String text, int from, int to, byte[] out, int at) {
        int n = at;
        for (int i = from; i < to; i++) {
            int c = text.charAt(i);
            if (c < 0x80) {
                out[n++] = (byte) c;
            } else if (c < 0x800) {
                out[n++] = (byte) (0xC0 | c >> 6);
                out[n++] = (byte) (0x80 | c & 0x3F);
            } else if (Character.isSurrogate((char) c)) {
                c = Character.toCodePoint((char) c, text.charAt(++i));
                out[n++] = (byte) (0xF0 | c >> 18);
                out[n++] = (byte) (0x80 | c >> 12 & 0x3F);
                out[n++] = (byte) (0x80 | c >> 6 & 0x3F);
                out[n++] = (byte) (0x80 | c & 0x3F);
            } else {
                out[n++] = (byte) (0xE0 | c >> 12);
                out[n++] = (byte) (0x80 | c >> 6 & 0x3F);
                out[n++] = (byte) (0x80 | c & 0x3F);
            }
        }
        return n;
    }

    /** Length of the character that starts with {@code lead}, in valid UTF-8. */
    static int length(byte lead) {
        int b = lead & 0xFF;
        return b < 0x80 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
    }

    /** {@code text} with lone surrogates replaced by U+FFFD. */
    static String scrub(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!isPair(text, i)) {
                    return scrubFrom(text, i);
                }
                i++;
            }
        }
        return text;
    }

    private static String scrubFrom(String text, int from) {
        StringBuilder clean = new StringBuilder(text);
        for (int i = from; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (isPair(text, i)) {
                    i++;
                } else {
                    clean.setCharAt(i, REPLACEMENT);
                }
            }
        }
        return clean.toString();
    }

    private static boolean isPair(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }

    /**
     * Appends the characters that {@code bytes} complete. Ill-formed input gives one U+FFFD for each maximal subpart
     * (Unicode 3.9, table 3-7), as Python and Rust do.
     */
    void decode(byte[] bytes, StringBuilder out) {
        for (byte next : bytes) {
            int b = next & 0xFF;
            if (missing > 0) {
                if (b >= least && b <= most) {
                    bits = bits << 6 | b & 0x3F;
                    least = 0x80;
                    most = 0xBF;
                    if (--missing == 0) {
                        out.appendCodePoint(bits);
                    }
                    continue;
                }
                missing = 0;
                out.append(REPLACEMENT);
            }
            begin(b, out);
        }
    }

    private void begin(int b, StringBuilder out) {
        if (b < 0x80) {
            out.append((char) b);
        } else if (b < 0xC2 || b > 0xF4) {
            out.append(REPLACEMENT);
        } else {
            missing = b < 0xE0 ? 1 : b < 0xF0 ? 2 : 3;
            bits = b & 0x3F >> missing;
            least = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
            most = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
        }
    }

    /** Ends the text: an unfinished character becomes U+FFFD. */
    void end(StringBuilder out) {
        if (missing > 0) {
            missing = 0;
            out.append(REPLACEMENT);
        }
    }
}
