package uzu.tokenizer;

import org.jspecify.annotations.Nullable;

/**
 * Byte-pair encoding of pieces: a piece becomes symbols (bytes, or characters), and symbols merge. Results of short
 * pieces are kept in a bounded cache, whose entries are immutable, so that threads may race for a slot.
 */
final class Bpe {
    private static final int CACHE_SLOTS = 1 << 13;
    private static final int CACHED_LENGTH = 24;

    /** How a model spells what its vocabulary lacks. */
    record Spelling(boolean byteLevel, boolean wholePieces, int unknown, boolean fuseUnknown) {}

    private record Cached(String piece, int[] ids) {}

    private final Vocabulary vocabulary;
    private final Merges merges;
    private final Spelling spelling;
    /** The id of each byte: its letter in a byte-level vocabulary, else its {@code <0x0A>}; -1 where there is none. */
    private final int[] bytes = new int[256];

    private final @Nullable WordSeams seams;
    private final @Nullable Cached[] cache = new @Nullable Cached[CACHE_SLOTS];

    Bpe(Vocabulary vocabulary, Merges merges, Spelling spelling, boolean byteFallback) {
        this.vocabulary = vocabulary;
        this.merges = merges;
        this.spelling = spelling;
        this.seams = spelling.byteLevel ? null : WordSeams.of(vocabulary);
        for (int b = 0; b < 256; b++) {
            if (spelling.byteLevel) {
                bytes[b] = vocabulary.find(Character.toString(ByteAlphabet.character(b)));
            } else {
                bytes[b] = byteFallback ? vocabulary.find("<0x%02X>".formatted(b)) : -1;
            }
        }
    }

    /** Appends the ids of {@code text[from, to)}, which has no lone surrogates. */
    void encode(String text, int from, int to, Symbols symbols, Ids out) {
        if (seams == null) {
            encodeWord(text, from, to, symbols, out);
            return;
        }
        for (int start = from; start < to; ) {
            int end = seams.next(text, start, to);
            encodeWord(text, start, end, symbols, out);
            start = end;
        }
    }

    private void encodeWord(String text, int from, int to, Symbols symbols, Ids out) {
        int length = to - from;
        if (length > CACHED_LENGTH) {
            merge(text, from, to, symbols, out);
            return;
        }
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + text.charAt(i);
        }
        int slot = hash * 0x9E3779B9 >>> 19;
        Cached hit = cache[slot];
        if (hit != null && hit.piece.length() == length && text.startsWith(hit.piece, from)) {
            out.addAll(hit.ids);
            return;
        }
        int start = out.size();
        merge(text, from, to, symbols, out);
        cache[slot] = new Cached(text.substring(from, to), out.from(start));
    }

    private void merge(String text, int from, int to, Symbols symbols, Ids out) {
        symbols.clear();
        int length =
                spelling.byteLevel ? spellBytes(text, from, to, symbols) : spellCharacters(text, from, to, symbols);
        if (spelling.wholePieces) {
            int whole = findWhole(symbols, length);
            if (whole >= 0) {
                out.add(whole);
                return;
            }
        }
        symbols.merge(merges);
        boolean afterUnknown = false;
        for (int at = 0; at < symbols.size(); at = symbols.next(at)) {
            int id = symbols.id(at);
            if (id >= 0) {
                out.add(id);
                afterUnknown = false;
            } else if (!spelling.byteLevel && hasBytes(symbols, at)) {
                for (int i = symbols.start(at); i < symbols.end(at); i++) {
                    out.add(bytes[symbols.text()[i] & 0xFF]);
                }
                afterUnknown = false;
            } else if (spelling.unknown >= 0) {
                if (!(afterUnknown && spelling.fuseUnknown)) {
                    out.add(spelling.unknown);
                }
                afterUnknown = true;
            }
        }
    }

    private int spellBytes(String text, int from, int to, Symbols symbols) {
        byte[] utf8 = symbols.text(3 * (to - from));
        int length = Utf8.encode(text, from, to, utf8, 0);
        for (int i = 0; i < length; i++) {
            symbols.add(bytes[utf8[i] & 0xFF], i, i + 1);
        }
        return length;
    }

    private int spellCharacters(String text, int from, int to, Symbols symbols) {
        byte[] utf8 = symbols.text(3 * (to - from));
        int length = Utf8.encode(text, from, to, utf8, 0);
        for (int i = 0; i < length; ) {
            int end = i + Utf8.length(utf8[i]);
            symbols.add(vocabulary.findText(utf8, i, end), i, end);
            i = end;
        }
        return length;
    }

    private int findWhole(Symbols symbols, int length) {
        if (!spelling.byteLevel) {
            return vocabulary.findText(symbols.text(), 0, length);
        }
        byte[] spelled = new byte[2 * length];
        int end = 0;
        for (int i = 0; i < length; i++) {
            int letter = ByteAlphabet.character(symbols.text()[i] & 0xFF);
            if (letter >= 0x80) {
                spelled[end++] = (byte) (0xC0 | letter >> 6);
                letter = 0x80 | letter & 0x3F;
            }
            spelled[end++] = (byte) letter;
        }
        return vocabulary.findText(spelled, 0, end);
    }

    private boolean hasBytes(Symbols symbols, int at) {
        for (int i = symbols.start(at); i < symbols.end(at); i++) {
            if (bytes[symbols.text()[i] & 0xFF] < 0) {
                return false;
            }
        }
        return true;
    }
}
